import { useEffect, useSyncExternalStore } from 'react';
import { dialogOnDemand, usePrefetchWhenIdle } from '#ui/feedback/on-demand.tsx';
import { textQuestion } from './annotation-text-question.ts';

const AnnotationTextDialog = dialogOnDemand(
  async () => (await import('./annotation-text-dialog.tsx')).AnnotationTextDialog,
);

/** Asks the question of `askForText`. Leaving the viewer cancels the question. */
export function AnnotationText() {
  const question = useSyncExternalStore(textQuestion.onChange, textQuestion.now);
  usePrefetchWhenIdle(AnnotationTextDialog);
  useEffect(() => () => textQuestion.now()?.answer(undefined), []);
  return (
    <AnnotationTextDialog
      opened={question !== undefined}
      question={question}
      onClose={() => question?.answer(undefined)}
    />
  );
}
