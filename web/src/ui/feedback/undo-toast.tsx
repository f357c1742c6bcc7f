import { t } from '@lingui/core/macro';
import { Button } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import styles from './undo-toast.module.css';

/** Time for which a toast offers undo, in milliseconds. It stays while the pointer is on it. */
const undoTime = 10_000;

/** Shows a message with an undo button for ten seconds. The button works even after a change of the screen. */
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
          {t`Undo`}
        </Button>
      </span>
    ),
  });
};
