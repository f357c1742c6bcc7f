import { Button } from '@mantine/core';
import { type FormEventHandler, type ReactNode, useContext, useEffect, useRef } from 'react';
import { wordsFor } from '#core/api.ts';
import { DialogContext } from './dialog-context.ts';
import { Notice } from './notice.tsx';
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

/** A dialog looks for its first field when it opens; fields that had to wait for what they show come too late for that. */
const useFirstFocus = () => {
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    // Of two forms the first one has it.
    if (document.activeElement?.closest('form')) return;
    form.current?.querySelector<HTMLElement>('[data-autofocus]')?.focus();
  }, []);
  return form;
};
