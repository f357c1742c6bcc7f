import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Popover, UnstyledButton } from '@mantine/core';
import type { UserType } from '@radwork/contract/core/access';
import { IconKeyboard, IconLogout, IconUserCircle } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useSession } from '#core/state/session.ts';
import { initialsOf } from './initials.ts';
import { TenantSwitch } from '#app/tenants/tenant-switch.tsx';
import { useSignOut } from './use-sign-out.ts';
import styles from './user-menu.module.css';

const kinds: Record<UserType, string> = {
  SUPER_ADMIN: t`Super administrator`,
  ADMIN: t`Administrator`,
  RADIOLOGIST: t`Radiologist`,
  REFERRING_PHYSICIAN: t`Referring physician`,
  PATIENT: t`Patient`,
};

/** Account menu: user, organization, sign-out. */
export function UserMenu({ onShowKeys }: { onShowKeys: () => void }) {
  const session = useSession();
  const signOut = useSignOut();
  const [isOpen, setOpen] = useState(false);
  if (!session) return null;
  const { user, tenant } = session;
  const name = user.name || user.username;

  return (
    <Popover opened={isOpen} onChange={setOpen} position="bottom-end" width={260} trapFocus returnFocus>
      <Popover.Target>
        <UnstyledButton className={styles.target} onClick={() => setOpen(!isOpen)}>
          <span className={styles.initials} aria-hidden>
            {initialsOf(name)}
          </span>
          <span className={styles.who}>
            <span className={styles.name}>
              <Trans>
                <span className="visually-hidden">Account of</span> {name}
              </Trans>
            </span>
            <span className={styles.kind}> {kinds[user.userType]}</span>
          </span>
        </UnstyledButton>
      </Popover.Target>
      <Popover.Dropdown className={styles.menu}>
        <div className={styles.about}>
          <p className={styles.greeting}>{t`Hello, ${name}`}</p>
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
        <Link to="/keyboard" className={styles.item} onClick={() => setOpen(false)}>
          <IconKeyboard size={16} stroke={1.6} aria-hidden />
          {t`Change keys`}
        </Link>
        <button type="button" className={styles.item} onClick={() => void signOut()}>
          <IconLogout size={16} stroke={1.6} aria-hidden />
          {t`Logout`}
        </button>
      </Popover.Dropdown>
    </Popover>
  );
}
