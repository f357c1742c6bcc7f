import type { Priority } from '@radwork/contract/core/priorities';
import type { Tone } from './status-pill.tsx';
import styles from './priority-mark.module.css';

const tones: Record<Priority, Tone> = { STAT: 'danger', URGENT: 'warning', ROUTINE: 'secondary' };

/** Shows the priority of a study: a triangle for STAT, a diamond for URGENT, text only for ROUTINE. */
export function PriorityMark({ priority }: { priority: Priority }) {
  return (
    <span className={styles.priority} data-tone={tones[priority]} data-priority={priority}>
      {priority}
    </span>
  );
}
