import type { Notification } from '@radwork/contract/notifications';
import type { MouseEvent } from 'react';
import { formatAgo, formatMoment } from '#ui/formats.ts';
import { kinds } from './kinds.ts';
import styles from './notification-item.module.css';

type Props = { notification: Notification; now: Date; onOpen: (notification: Notification) => void };

/** What a notification says: its kind, whether it is new, what happened and when. Its title leads to what it is about. */
export function NotificationItem({ notification, now, onOpen }: Props) {
  const { type, title, message, link, createdAt, seen } = notification;
  const { icon: Icon, tone } = kinds[type];
  const open = (event: MouseEvent) => {
    // With a key held, the browser opens it elsewhere by itself; here the application does.
    if (!event.ctrlKey && !event.metaKey && !event.shiftKey) event.preventDefault();
    onOpen(notification);
  };
  return (
    <div className={styles.item} data-unread={!seen || undefined}>
      <Icon className={styles.icon} data-tone={tone} size={18} stroke={1.6} aria-hidden />
      <div className={styles.words}>
        <p className={styles.head}>
          {!seen && <span className={styles.new}>New</span>}
          {link ? (
            <a className={styles.title} href={link} data-opens onClick={open}>
              {title}
            </a>
          ) : (
            <button type="button" className={styles.title} data-opens onClick={open}>
              {title}
            </button>
          )}
        </p>
        {message && <p className={styles.message}>{message}</p>}
      </div>
      <time className={styles.time} dateTime={createdAt} title={formatMoment(createdAt)}>
        {formatAgo(createdAt, now)}
      </time>
    </div>
  );
}
