import { t } from '@lingui/core/macro';
import { TextInput } from '@mantine/core';
import { useEffect, useState, useSyncExternalStore } from 'react';
import { Dialog } from '#ui/dialogs/dialog.tsx';
import { DialogForm } from '#ui/dialogs/dialog-form.tsx';
import { textQuestion } from './annotation-text-question.ts';

/** Dialog for the question of `askForText`. Leaving the viewer cancels the question. */
export function AnnotationTextDialog() {
  const question = useSyncExternalStore(textQuestion.onChange, textQuestion.now);
  useEffect(() => () => textQuestion.now()?.answer(undefined), []);
  return (
    <Dialog
      opened={question !== undefined}
      onClose={() => question?.answer(undefined)}
      title={question?.title}
      size={380}
    >
      {question && <Words key={question.title} {...question} />}
    </Dialog>
  );
}

type WordsProps = { words: string; isNeeded: boolean; answer: (words: string | undefined) => void };

function Words({ words, isNeeded, answer }: WordsProps) {
  const [typed, setTyped] = useState(words);
  return (
    <DialogForm
      verb={t`Save text`}
      action={{ isPending: false, error: null }}
      isBarred={isNeeded && typed.trim() === ''}
      onSubmit={(event) => {
        event.preventDefault();
        if (!isNeeded || typed.trim() !== '') answer(typed);
      }}
      onCancel={() => answer(undefined)}
    >
      <TextInput
        label={isNeeded ? t`Text on the image` : t`Text at the arrow (optional)`}
        data-autofocus
        maxLength={200}
        value={typed}
        onChange={(event) => setTyped(event.currentTarget.value)}
      />
    </DialogForm>
  );
}
