import { Button } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import styles from './undo-toast.module.css';

/** How long something can be taken back from the message about it, in milliseconds; hovering holds it. */
const undoTime = 10_000;

/** Says what happened, with a button that takes it back for ten seconds; the button works on any screen. */
export const offerUndo = (message: string, undo: () => void) => {
  const id = notifications.show({
    autoClose: undoTime,
    'data-tone': 'success',
    message: (
      <span className={styles.undo}>
        {message}
        <Button
          size="compact-xs"
          variant="default"
          onClick={() => {
            notifications.hide(id);
            undo();
          }}
        >
          Undo
        </Button>
      </span>
    ),
  });
};
