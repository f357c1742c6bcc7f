import { t } from '@lingui/core/macro';
import { ActionIcon, Button, Popover } from '@mantine/core';
import { IconBell } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useId, useState } from 'react';
import { ListChangedNote } from '#ui/lists/list-changed.tsx';
import { useNow } from '#ui/formats/use-now.ts';
import { EmptyState, ErrorState, Skeleton } from '#ui/feedback/content-states.tsx';
import { useSteadyList } from '#ui/lists/use-steady-list.ts';
import styles from './notification-bell.module.css';
import { NotificationItem } from './notification-item.tsx';
import { useInboxActions } from './use-inbox-actions.tsx';
import { useInbox, useUnreadCount } from './use-notifications.ts';

/** Number of notifications that the bell lists. */
const shownByBell = 5;
/** Highest unread count that is shown as a number. For a higher count, the bell shows "99+". */
const mostCounted = 99;

/** Bell with the unread count, visible on every screen. Pressing it shows the newest notifications. */
export function NotificationBell() {
  const unread = useUnreadCount() ?? 0;
  const [isOpen, setOpen] = useState(false);
  const close = () => setOpen(false);
  const titleId = useId();
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
        {isOpen && <Newest titleId={titleId} unread={unread} onLeave={close} />}
      </Popover.Dropdown>
    </Popover>
  );
}

type NewestProps = { titleId: string; unread: number; onLeave: () => void };

function Newest({ titleId, unread, onLeave }: NewestProps) {
  const { data, error, refetch, dataUpdatedAt } = useInbox({ size: shownByBell });
  const steady = useSteadyList({ items: data?.content, at: dataUpdatedAt, to: 'newest', hasRoom: true });
  const actions = useInboxActions();
  const now = useNow();
  return (
    <>
      <div className={styles.head}>
        <h2 id={titleId} className={styles.title}>
          {t`Newest notifications`}
        </h2>
        {unread > 0 && (
          <Button size="compact-xs" variant="subtle" onClick={() => actions.markAllRead(data?.content[0])}>
            {t`Mark all read`}
          </Button>
        )}
      </div>
      {steady.items && steady.items.length > 0 && (
        <ul {...steady.pointing}>
          {steady.items.map((item) => (
            <li key={item.id} className={styles.row}>
              <NotificationItem
                notification={item}
                now={now}
                onOpen={(opened) => {
                  actions.open(opened);
                  onLeave();
                }}
              />
            </li>
          ))}
        </ul>
      )}
      {steady.isMoved && <ListChangedNote onShow={steady.showNew} />}
      {data?.content.length === 0 && <EmptyState icon={IconBell} title={t`No notifications`} />}
      {!data && error && (
        <ErrorState failed={t`Failed to load notifications`} error={error} onRetry={() => void refetch()} />
      )}
      {!data && !error && (
        <div className={styles.loading}>
          <Skeleton lines={5} label={t`Loading notifications`} />
        </div>
      )}
      <Link to="/notifications" className={styles.all} onClick={onLeave}>
        {t`All notifications`}
      </Link>
    </>
  );
}
