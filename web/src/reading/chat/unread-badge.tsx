import { t } from '@lingui/core/macro';
import styles from './unread-badge.module.css';

const most = 99;

/** Shows the number of unread messages, up to a maximum. Renders nothing for zero. */
export function UnreadBadge({ unread }: { unread: number }) {
  if (unread === 0) return null;
  return (
    <span className={styles.badge} aria-hidden>
      {unread > most ? `${most}+` : unread}
    </span>
  );
}

/** Appends the unread count to a label for screen readers: "Open chat, 3 unread". */
export const withUnread = (label: string, unread: number): string => {
  if (unread === 0) return label;
  return unread > most ? t`${label}, more than ${most} unread` : t`${label}, ${unread} unread`;
};
