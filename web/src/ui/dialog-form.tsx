import { Button } from '@mantine/core';
import { type FormEventHandler, type ReactNode, useContext } from 'react';
import { wordsFor } from '#core/api.ts';
import { DialogContext } from './dialog-context.ts';
import { Notice } from './notice.tsx';
import { useFirstFocus } from './use-first-focus.ts';
import styles from './dialog-form.module.css';

type Props = {
  /** What the button does. */
  verb: string;
  action: { isPending: boolean; error: Error | null };
  /** Something among the fields says why this cannot be done now. */
  isBarred?: boolean;
  onSubmit: FormEventHandler<HTMLFormElement>;
  onCancel: () => void;
  children: ReactNode;
};

/**
 * The fields of a dialog and its two buttons. A refusal stays here, after its toast has gone. The focus begins at the
 * field with `data-autofocus`.
 */
export function DialogForm({ verb, action, isBarred = false, onSubmit, onCancel, children }: Props) {
  const form = useFirstFocus();
  return (
    <form ref={form} className={styles.form} onSubmit={onSubmit} noValidate>
      {children}
      {action.error && <Notice tone="danger">{wordsFor(action.error, action.error.message)}</Notice>}
      <div className={styles.buttons}>
        <CancelButton onCancel={onCancel} />
        <Button type="submit" loading={action.isPending} disabled={isBarred}>
          {verb}
        </Button>
      </div>
    </form>
  );
}

/** Leaves a form. In a dialog it asks before what was typed is lost, like all other ways out of it. */
export function CancelButton({ onCancel }: { onCancel: () => void }) {
  const dialog = useContext(DialogContext);
  return (
    <Button variant="default" onClick={() => (dialog ? dialog.leave(onCancel) : onCancel())}>
      Cancel
    </Button>
  );
}
