import { Popover, UnstyledButton } from '@mantine/core';
import type { UserType } from '@radwork/contract/access';
import { sessions } from '@radwork/contract/sessions';
import { IconKeyboard, IconLogout } from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { call } from '#core/api.ts';
import { useSession } from '#core/session.ts';
import { forgetUploads } from '#core/upload-notes.ts';
import { releaseReadingLocks } from '#features/reports/hold-reading-lock.ts';
import styles from './user-menu.module.css';

const kinds: Record<UserType, string> = {
  SUPER_ADMIN: 'Super administrator',
  ADMIN: 'Administrator',
  RADIOLOGIST: 'Radiologist',
  REFERRING_PHYSICIAN: 'Referring physician',
  PATIENT: 'Patient',
};

/** Who is signed in, where, and how to leave. */
export function UserMenu({ onShowKeys }: { onShowKeys: () => void }) {
  const session = useSession();
  const navigate = useNavigate();
  const [isOpen, setOpen] = useState(false);
  if (!session) return null;
  const { user, tenant } = session;

  const signOut = async () => {
    // While there is still somebody whose locks they are.
    await releaseReadingLocks();
    // The session ends here whether or not the server hears of it; there it ends by itself when nobody uses it.
    await call(sessions.logout, {}).catch(() => undefined);
    forgetUploads();
    await navigate({ to: '/login' });
  };

  return (
    <Popover opened={isOpen} onChange={setOpen} position="bottom-end" width={260} trapFocus returnFocus>
      <Popover.Target>
        <UnstyledButton className={styles.target} onClick={() => setOpen(!isOpen)}>
          <span className={styles.initials} aria-hidden>
            {initialsOf(user.name || user.username)}
          </span>
          <span className={styles.who}>
            <span className={styles.username}>
              <span className="visually-hidden">Account of</span> {user.username}
            </span>
            <span className={styles.kind}> {kinds[user.userType]}</span>
          </span>
        </UnstyledButton>
      </Popover.Target>
      <Popover.Dropdown className={styles.menu}>
        <div className={styles.about}>
          <p className={styles.greeting}>Hello, {user.name || user.username}</p>
          <p>{user.email}</p>
          <p>{tenant.name}</p>
        </div>
        <button
          type="button"
          className={styles.item}
          onClick={() => {
            setOpen(false);
            onShowKeys();
          }}
        >
          <IconKeyboard size={16} stroke={1.6} aria-hidden />
          Keyboard shortcuts
        </button>
        <button type="button" className={styles.item} onClick={() => void signOut()}>
          <IconLogout size={16} stroke={1.6} aria-hidden />
          Logout
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
