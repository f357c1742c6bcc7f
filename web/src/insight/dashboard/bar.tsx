import styles from './dashboard.module.css';

/** Bar that shows a value as a part of the largest value. The number next to the bar says the same. */
export function Bar({ part, tone = 'primary' }: { part: number; tone?: string }) {
  return (
    <span className={styles.bar} aria-hidden>
      <span
        className={styles.barFill}
        data-tone={tone}
        style={{ width: `${Math.min(100, Math.max(0, part * 100))}%` }}
      />
    </span>
  );
}
