import { t } from '@lingui/core/macro';
import { Popover, UnstyledButton } from '@mantine/core';
import type { UserType } from '@radwork/contract/access';
import { IconKeyboard, IconLogout, IconUserCircle } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useSession } from '#core/session.ts';
import { TenantSwitch } from './tenant-switch.tsx';
import { useSignOut } from './use-sign-out.ts';
import styles from './user-menu.module.css';

const kinds: Record<UserType, string> = {
  SUPER_ADMIN: 'Super administrator',
  ADMIN: 'Administrator',
  RADIOLOGIST: 'Radiologist',
  REFERRING_PHYSICIAN: 'Referring physician',
  PATIENT: 'Patient',
};

/** Account menu: user, organization, sign-out. */
export function UserMenu({ onShowKeys }: { onShowKeys: () => void }) {
  const session = useSession();
  const signOut = useSignOut();
  const [isOpen, setOpen] = useState(false);
  if (!session) return null;
  const { user, tenant } = session;

  return (
    <Popover opened={isOpen} onChange={setOpen} position="bottom-end" width={260} trapFocus returnFocus>
      <Popover.Target>
        <UnstyledButton className={styles.target} onClick={() => setOpen(!isOpen)}>
          <span className={styles.initials} aria-hidden>
            {initialsOf(user.name || user.username)}
          </span>
          <span className={styles.who}>
            <span className={styles.username}>
              <span className="visually-hidden">{t`Account of`}</span> {user.username}
            </span>
            <span className={styles.kind}> {kinds[user.userType]}</span>
          </span>
        </UnstyledButton>
      </Popover.Target>
      <Popover.Dropdown className={styles.menu}>
        <div className={styles.about}>
          <p className={styles.greeting}>
            {t`Hello,`} {user.name || user.username}
          </p>
          <p>{user.email}</p>
          <p>{tenant.name}</p>
        </div>
        <div className={styles.narrow}>
          <TenantSwitch />
        </div>
        <Link to="/account" data-autofocus className={styles.item} onClick={() => setOpen(false)}>
          <IconUserCircle size={16} stroke={1.6} aria-hidden />
          {t`My account`}
        </Link>
        <button
          type="button"
          className={styles.item}
          onClick={() => {
            setOpen(false);
            onShowKeys();
          }}
        >
          <IconKeyboard size={16} stroke={1.6} aria-hidden />
          {t`Keyboard shortcuts`}
        </button>
        <button type="button" className={styles.item} onClick={() => void signOut()}>
          <IconLogout size={16} stroke={1.6} aria-hidden />
          {t`Logout`}
        </button>
      </Popover.Dropdown>
    </Popover>
  );
}

const initialsOf = (name: string): string => {
  const words = name.split(/[\s.]+/).filter(Boolean);
  return words
    .filter((_, at) => at === 0 || at === words.length - 1)
    .map((word) => word.charAt(0).toUpperCase())
    .join('');
};
