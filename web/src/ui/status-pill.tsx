import styles from './status-pill.module.css';

export type Tone = 'primary' | 'info' | 'success' | 'warning' | 'danger' | 'secondary';

/** The small mark before the word, so that a state is never told by colour alone. */
export type PillShape = 'dot' | 'ring' | 'half' | 'diamond';

/** A state in one word: shape, label and colour. */
export function StatusPill({ tone, shape = 'dot', label }: { tone: Tone; shape?: PillShape; label: string }) {
  return (
    <span className={styles.pill} data-tone={tone} data-shape={shape}>
      {label}
    </span>
  );
}
