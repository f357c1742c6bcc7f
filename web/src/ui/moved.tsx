import { Button } from '@mantine/core';
import { IconRefresh } from '@tabler/icons-react';
import styles from './moved.module.css';
import { useShortcuts } from './shortcuts.ts';

/** That a list which one points at is another by now. It stands below the rows, so that it does not move them either. */
export function Moved({ onShow }: { onShow: () => void }) {
  useShortcuts('Changed list', [{ keys: 'r', does: 'Show the list as it is by now', hint: 'renew', run: onShow }]);
  return (
    <div className={styles.moved} role="status">
      <IconRefresh size={15} stroke={1.7} aria-hidden />
      The list has changed meanwhile.
      <Button size="compact-xs" variant="default" onClick={onShow}>
        Show
      </Button>
    </div>
  );
}
