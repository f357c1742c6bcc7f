import { t } from '@lingui/core/macro';
import { Button } from '@mantine/core';
import { useSyncExternalStore } from 'react';
import { answerQuestion, question } from './confirm.tsx';
import { Dialog } from './dialog.tsx';
import styles from './confirm.module.css';

/** Dialog for all questions of `confirm`. It keeps its text while it fades out. */
export function ConfirmDialog() {
  const opened = useSyncExternalStore(question.onChange, question.isOpen);
  const current = useSyncExternalStore(question.onChange, question.words);
  return (
    <Dialog
      opened={opened}
      onClose={() => answerQuestion(false)}
      title={current?.question}
      size={400}
      withCloseButton={false}
      // The dialog is above other dialogs, but below the toasts.
      zIndex={310}
    >
      <div className={styles.consequence}>{current?.consequence}</div>
      <div className={styles.buttons}>
        <Button variant="default" data-autofocus onClick={() => answerQuestion(false)}>
          {current?.refusal ?? t`Cancel`}
        </Button>
        <Button color={current?.tone === 'primary' ? 'azure' : 'red'} onClick={() => answerQuestion(true)}>
          {current?.verb}
        </Button>
      </div>
    </Dialog>
  );
}
