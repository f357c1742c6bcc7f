import { t } from '@lingui/core/macro';
import { ActionIcon, Tooltip } from '@mantine/core';
import type { Notification } from '@radwork/contract/identity/notifications';
import { IconCheck, IconTrash } from '@tabler/icons-react';
import { useRef } from 'react';
import { useNow } from '#ui/formats/use-now.ts';
import { groupByDay } from './group-by-day.ts';
import { NotificationItem } from './notification-item.tsx';
import styles from './notifications-screen.module.css';
import type { InboxActions } from './use-inbox-actions.tsx';
import { useListKeyboard } from './use-list-keyboard.ts';

type Props = { items: readonly Notification[]; actions: InboxActions; isRefreshing: boolean };

/** Interval after which relative times are updated, in milliseconds. */
const renewEvery = 15_000;

/** Shows one page of notifications, grouped by day, with keyboard navigation. */
export function NotificationList({ items, actions, isRefreshing }: Props) {
  const now = useNow(renewEvery);
  const list = useRef<HTMLDivElement>(null);
  const withItem = (act: (item: Notification) => unknown) => (id: string) => {
    const item = items.find((candidate) => candidate.id === id);
    if (item) act(item);
  };
  const keyboardProps = useListKeyboard({
    list,
    onMarkRead: withItem(actions.markSeen),
    onRemove: withItem(actions.remove),
  });

  return (
    <div ref={list} className={styles.list} aria-busy={isRefreshing} {...keyboardProps}>
      {groupByDay(items, now).map((day) => (
        <section key={day.label} aria-label={day.label}>
          <h2 className={styles.day}>{day.label}</h2>
          <ul>
            {day.items.map((item) => (
              <li key={item.id} className={styles.row} data-row={item.id}>
                <NotificationItem notification={item} now={now} onOpen={actions.open} />
                <RowActions item={item} actions={actions} />
              </li>
            ))}
          </ul>
        </section>
      ))}
    </div>
  );
}

function RowActions({ item, actions }: { item: Notification; actions: InboxActions }) {
  return (
    <div className={styles.actions}>
      {!item.seen && (
        <Tooltip label={t`Mark as read`}>
          <ActionIcon size={26} aria-label={t`Mark as read: ${item.title}`} onClick={() => actions.markSeen(item)}>
            <IconCheck size={16} stroke={1.7} />
          </ActionIcon>
        </Tooltip>
      )}
      <Tooltip label={t`Delete`}>
        <ActionIcon size={26} aria-label={t`Delete: ${item.title}`} onClick={() => void actions.remove(item)}>
          <IconTrash size={16} stroke={1.6} />
        </ActionIcon>
      </Tooltip>
    </div>
  );
}
