import { t } from '@lingui/core/macro';
import { ActionIcon } from '@mantine/core';
import { IconMenu2 } from '@tabler/icons-react';
import { NotificationBell } from '#identity/notifications/notification-bell.tsx';
import { Breadcrumb } from './breadcrumb.tsx';
import styles from './header.module.css';
import { PaletteButton } from '#app/palette/palette-button.tsx';
import { TenantSwitch } from '#app/tenants/tenant-switch.tsx';
import { UserMenu } from './user-menu.tsx';

/** Header: location, notifications and account. */
export function Header({ onOpenMenu, onShowKeys }: { onOpenMenu: () => void; onShowKeys: () => void }) {
  return (
    <header className={styles.header}>
      <ActionIcon className={styles.menu} size={32} aria-label={t`Open menu`} onClick={onOpenMenu}>
        <IconMenu2 size={19} stroke={1.6} />
      </ActionIcon>
      <Breadcrumb />
      <div className={styles.end}>
        <div className={styles.wide}>
          <TenantSwitch />
        </div>
        <PaletteButton />
        <NotificationBell />
        <UserMenu onShowKeys={onShowKeys} />
      </div>
    </header>
  );
}
