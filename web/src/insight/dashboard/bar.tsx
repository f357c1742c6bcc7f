import styles from './dashboard.module.css';

/** Shows a part of the largest value as a bar. The number next to it says the same. */
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
