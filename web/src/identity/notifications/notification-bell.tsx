import { t } from '@lingui/core/macro';
import { ActionIcon, Popover } from '@mantine/core';
import { IconBell } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useId, useState } from 'react';
import { Skeleton } from '#ui/feedback/content-states.tsx';
import { partOnDemand, usePrefetchWhenIdle } from '#ui/feedback/on-demand.tsx';
import styles from './notification-bell.module.css';
import { useUnreadCount } from './use-notifications.ts';

/** Highest unread count that is shown as a number. For a higher count, the bell shows "99+". */
const mostCounted = 99;

const NewestOnDemand = partOnDemand(async () => (await import('./newest-notifications.tsx')).NewestNotifications);

/** Bell with the unread count, visible on every screen. Pressing it shows the newest notifications. */
export function NotificationBell() {
  const unread = useUnreadCount() ?? 0;
  const [isOpen, setOpen] = useState(false);
  const close = () => setOpen(false);
  const titleId = useId();
  usePrefetchWhenIdle(NewestOnDemand);
  return (
    <Popover opened={isOpen} onChange={setOpen} position="bottom-end" width={380} trapFocus returnFocus>
      <Popover.Target>
        <ActionIcon
          className={styles.bell}
          size={32}
          aria-label={unread === 0 ? t`Notifications` : t`Notifications, ${unread} unread`}
          onClick={() => setOpen(!isOpen)}
        >
          <IconBell size={18} stroke={1.6} />
          {unread > 0 && (
            <span className={styles.badge} aria-hidden>
              {unread > mostCounted ? `${mostCounted}+` : unread}
            </span>
          )}
        </ActionIcon>
      </Popover.Target>
      <Popover.Dropdown className={styles.dropdown} aria-labelledby={titleId}>
        {isOpen && (
          <>
            <NewestOnDemand titleId={titleId} unread={unread} onLeave={close} waiting={<Waiting titleId={titleId} />} />
            <Link to="/notifications" className={styles.all} onClick={close}>
              {t`All notifications`}
            </Link>
          </>
        )}
      </Popover.Dropdown>
    </Popover>
  );
}

/** Shown while the code of the list loads. It looks like the list while its data loads. */
function Waiting({ titleId }: { titleId: string }) {
  return (
    <>
      <div className={styles.head}>
        <h2 id={titleId} className={styles.title}>
          {t`Newest notifications`}
        </h2>
      </div>
      <div className={styles.loading}>
        <Skeleton lines={5} label={t`Loading notifications`} />
      </div>
    </>
  );
}
