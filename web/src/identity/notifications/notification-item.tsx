import { t } from '@lingui/core/macro';
import type { Notification } from '@radwork/contract/identity/notifications';
import type { MouseEvent } from 'react';
import { formatAgo, formatLocal, formatMoment } from '#ui/formats/formats.ts';
import { notificationKinds } from './notification-kinds.ts';
import styles from './notification-item.module.css';

type Props = { notification: Notification; now: Date; onOpen: (notification: Notification) => void };

/**
 * Shows a notification with kind, state, event, patient, study and time. Its title is a link to the subject of the
 * notification.
 */
export function NotificationItem({ notification, now, onOpen }: Props) {
  const { type, title, message, link, study, createdAt, seen } = notification;
  const { icon: Icon, tone } = notificationKinds[type];
  const open = (event: MouseEvent) => {
    // With a modifier key, the browser opens the link, for example in a new tab. Otherwise the application opens it.
    if (!event.ctrlKey && !event.metaKey && !event.shiftKey) event.preventDefault();
    onOpen(notification);
  };
  return (
    <div className={styles.item} data-unread={!seen || undefined}>
      <Icon className={styles.icon} data-tone={tone} size={18} stroke={1.6} aria-hidden />
      <div className={styles.words}>
        <p className={styles.head}>
          {!seen && <span className={styles.new}>{t`New`}</span>}
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
        {study && (
          <p className={styles.patient}>
            <bdi>{study.patientName}</bdi> <bdi className={styles.identity}>{study.patientId}</bdi>
          </p>
        )}
        {(message || study?.studyDate) && (
          <p className={styles.message}>{[message, formatLocal(study?.studyDate)].filter(Boolean).join(' · ')}</p>
        )}
      </div>
      <time className={styles.time} dateTime={createdAt} title={formatMoment(createdAt)}>
        {formatAgo(createdAt, now)}
      </time>
    </div>
  );
}
