import styles from './dashboard.module.css';

/** A bar as long as its part of the largest; the number beside it says the same. */
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
