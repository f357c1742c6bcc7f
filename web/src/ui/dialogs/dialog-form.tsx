import { t } from '@lingui/core/macro';
import { Button } from '@mantine/core';
import { type FormEventHandler, type ReactNode, useContext } from 'react';
import { errorMessageOf } from '#core/http/api.ts';
import { DialogContext } from './dialog-context.ts';
import { Notice } from '#ui/feedback/notice.tsx';
import { useFirstFocus } from './use-first-focus.ts';
import styles from './dialog-form.module.css';

type Props = {
  /** Label of the submit button. */
  verb: string;
  action: { isPending: boolean; error: Error | null };
  /** Whether the button is disabled, because a field shows why the action is impossible. */
  isBarred?: boolean;
  onSubmit: FormEventHandler<HTMLFormElement>;
  onCancel: () => void;
  children: ReactNode;
};

/**
 * Form in a dialog with its fields and two buttons. An error stays visible after its toast. The field with
 * `data-autofocus` takes the focus.
 */
export function DialogForm({ verb, action, isBarred = false, onSubmit, onCancel, children }: Props) {
  const form = useFirstFocus();
  return (
    <form ref={form} className={styles.form} onSubmit={onSubmit} noValidate>
      {children}
      {action.error && <Notice tone="danger">{errorMessageOf(action.error, action.error.message)}</Notice>}
      <div className={styles.buttons}>
        <CancelButton onCancel={onCancel} />
        <Button type="submit" loading={action.isPending} disabled={isBarred}>
          {verb}
        </Button>
      </div>
    </form>
  );
}

/** Button that leaves a form. In a dialog, asks the user first if typed text would be lost. */
export function CancelButton({ onCancel }: { onCancel: () => void }) {
  const dialog = useContext(DialogContext);
  return (
    <Button variant="default" onClick={() => (dialog ? dialog.leave(onCancel) : onCancel())}>
      {t`Cancel`}
    </Button>
  );
}
