import { ActionIcon } from '@mantine/core';
import { IconBell, IconMenu2 } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { Breadcrumb } from './breadcrumb.tsx';
import styles from './header.module.css';
import { UserMenu } from './user-menu.tsx';

/** Where one is, what is new, and who one is. */
export function Header({ onOpenMenu, onShowKeys }: { onOpenMenu: () => void; onShowKeys: () => void }) {
  return (
    <header className={styles.header}>
      <ActionIcon className={styles.menu} size={32} aria-label="Open the menu" onClick={onOpenMenu}>
        <IconMenu2 size={19} stroke={1.6} />
      </ActionIcon>
      <Breadcrumb />
      <div className={styles.end}>
        <ActionIcon
          size={32}
          aria-label="Notifications"
          renderRoot={(props) => <Link to="/notifications" {...props} />}
        >
          <IconBell size={18} stroke={1.6} />
        </ActionIcon>
        <UserMenu onShowKeys={onShowKeys} />
      </div>
    </header>
  );
}
