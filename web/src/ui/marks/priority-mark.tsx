import type { Priority } from '@radwork/contract/core/priorities';
import type { Tone } from './status-pill.tsx';
import styles from './priority-mark.module.css';

const tones: Record<Priority, Tone> = { STAT: 'danger', URGENT: 'warning', ROUTINE: 'secondary' };

/** Priority of a study: triangle for STAT, diamond for URGENT, plain for ROUTINE. */
export function PriorityMark({ priority }: { priority: Priority }) {
  return (
    <span className={styles.priority} data-tone={tones[priority]} data-priority={priority}>
      {priority}
    </span>
  );
}
