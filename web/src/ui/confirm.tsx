import { Button, Modal } from '@mantine/core';
import { type ReactNode, useSyncExternalStore } from 'react';
import styles from './confirm.module.css';

type Question = {
  /** The question itself, in full. */
  question: string;
  /** What will be lost or changed. */
  consequence: ReactNode;
  /** What the button does, as a verb: "Delete study", never "OK". */
  verb: string;
  /** What the other button says, where "Cancel" would be taken for the verb. */
  refusal?: string;
  tone?: 'danger' | 'primary';
};

type Asked = Question & { answer: (yes: boolean) => void };

let asked: Asked | undefined;
let isOpen = false;
const listeners = new Set<() => void>();
const onChange = (listener: () => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};
const announce = () => {
  for (const listener of listeners) listener();
};

/** Asks before something that cannot simply be undone; resolves to whether the person agreed. Esc means no. */
export const confirm = (question: Question): Promise<boolean> =>
  new Promise((resolve) => {
    // A second question takes the place of the first, which then counts as refused.
    if (isOpen) asked?.answer(false);
    asked = { ...question, answer: resolve };
    isOpen = true;
    announce();
  });

const close = (yes: boolean) => {
  asked?.answer(yes);
  isOpen = false;
  announce();
};

/** The one dialog in which `confirm` asks. It keeps its words while it fades away. */
export function ConfirmDialog() {
  const opened = useSyncExternalStore(onChange, () => isOpen);
  const current = useSyncExternalStore(onChange, () => asked);
  return (
    <Modal
      opened={opened}
      onClose={() => close(false)}
      title={current?.question}
      size={400}
      withCloseButton={false}
      // Above the dialog in which it may be asked, and below the toasts.
      zIndex={310}
    >
      <div className={styles.consequence}>{current?.consequence}</div>
      <div className={styles.buttons}>
        <Button variant="default" data-autofocus onClick={() => close(false)}>
          {current?.refusal ?? 'Cancel'}
        </Button>
        <Button color={current?.tone === 'primary' ? 'azure' : 'red'} onClick={() => close(true)}>
          {current?.verb}
        </Button>
      </div>
    </Modal>
  );
}
