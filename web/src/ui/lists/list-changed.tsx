import { t } from '@lingui/core/macro';
import { Button } from '@mantine/core';
import { IconRefresh } from '@tabler/icons-react';
import styles from './list-changed.module.css';
import { useShortcuts } from '#ui/keyboard/shortcuts.ts';

type Props = {
  onShow: () => void;
  /** Whether this screen uses the key R for another action. */
  isKeyTaken?: boolean;
};

/**
 * Notice that a list has changed while its rows are held in place. It appears below the rows, so that it does not move
 * them.
 */
export function ListChangedNote({ onShow, isKeyTaken = false }: Props) {
  const renew = { keys: 'r', does: t`Update list`, hint: t`update`, run: onShow };
  useShortcuts(t`List`, isKeyTaken ? [] : [renew]);
  return (
    <div className={styles.moved} role="status">
      <IconRefresh size={15} stroke={1.7} aria-hidden />
      {t`The list has changed.`}
      <Button size="compact-xs" variant="default" onClick={onShow}>
        {t`Update list`}
      </Button>
    </div>
  );
}
