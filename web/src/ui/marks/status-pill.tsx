import styles from './status-pill.module.css';

export type Tone = 'primary' | 'info' | 'success' | 'warning' | 'danger' | 'secondary';

/** Shape before the label, so that the state does not depend on color alone. */
export type PillShape = 'dot' | 'ring' | 'half' | 'diamond';

/** Shows a state by shape, label and color. */
export function StatusPill({ tone, shape = 'dot', label }: { tone: Tone; shape?: PillShape; label: string }) {
  return (
    <span className={styles.pill} data-tone={tone} data-shape={shape}>
      {label}
    </span>
  );
}
