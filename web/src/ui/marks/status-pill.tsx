import styles from './status-pill.module.css';

export type Tone = 'primary' | 'info' | 'success' | 'warning' | 'danger' | 'secondary';

/** Shape before the label, so color alone never carries the state. */
export type PillShape = 'dot' | 'ring' | 'half' | 'diamond';

/** State as a shape, a label and a color. */
export function StatusPill({ tone, shape = 'dot', label }: { tone: Tone; shape?: PillShape; label: string }) {
  return (
    <span className={styles.pill} data-tone={tone} data-shape={shape}>
      {label}
    </span>
  );
}
