import styles from './unread-badge.module.css';

const most = 99;

/** How many messages wait to be read, as a number that stays small. Nothing when there are none. */
export function UnreadBadge({ unread }: { unread: number }) {
  if (unread === 0) return null;
  return (
    <span className={styles.badge} aria-hidden>
      {unread > most ? `${most}+` : unread}
    </span>
  );
}

/** The same for those who cannot see it, behind the name of a control: "Open chat, 3 unread". */
export const withUnread = (label: string, unread: number): string =>
  unread === 0 ? label : `${label}, ${unread > most ? `more than ${most}` : unread} unread`;
