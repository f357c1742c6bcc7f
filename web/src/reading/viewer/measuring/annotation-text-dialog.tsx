import { t } from '@lingui/core/macro';
import { TextInput } from '@mantine/core';
import { useState } from 'react';
import { Dialog } from '#ui/dialogs/dialog.tsx';
import { DialogForm } from '#ui/dialogs/dialog-form.tsx';
import type { OpenTextQuestion } from './annotation-text-question.ts';

type Props = { opened: boolean; question: OpenTextQuestion | undefined; onClose: () => void };

/** Dialog for the question of `askForText`. */
export function AnnotationTextDialog({ opened, question, onClose }: Props) {
  return (
    <Dialog opened={opened} onClose={onClose} title={question?.title} size={380}>
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
