import { t } from '@lingui/core/macro';
import { Button } from '@mantine/core';
import { IconBell } from '@tabler/icons-react';
import { ListChangedNote } from '#ui/lists/list-changed.tsx';
import { useNow } from '#ui/formats/use-now.ts';
import { EmptyState, ErrorState, Skeleton } from '#ui/feedback/content-states.tsx';
import { useSteadyList } from '#ui/lists/use-steady-list.ts';
import styles from './notification-bell.module.css';
import { NotificationItem } from './notification-item.tsx';
import { useInboxActions } from './use-inbox-actions.tsx';
import { useInbox } from './use-notifications.ts';

/** Number of notifications that the bell lists. */
const shownByBell = 5;

type Props = { titleId: string; unread: number; onLeave: () => void };

/** The newest notifications, for the bell. */
export function NewestNotifications({ titleId, unread, onLeave }: Props) {
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
    </>
  );
}
