import type { CriticalState } from '@radwork/contract/critical-findings';
import { IconAlertOctagon } from '@tabler/icons-react';
import styles from './critical-mark.module.css';

const words: Partial<Record<CriticalState, string>> = {
  OPEN: 'Critical: not communicated',
  COMMUNICATED: 'Critical: not confirmed',
  ACKNOWLEDGED: 'Critical: acknowledged',
};

/** That something critical was found in a study, and how far it is known; nothing for what was withdrawn. */
export function CriticalMark({ state }: { state: CriticalState | null }) {
  const text = state && words[state];
  if (!text) return null;
  return (
    <span className={styles.critical} data-state={state}>
      <IconAlertOctagon size={13} stroke={1.9} aria-hidden />
      <span>{text}</span>
    </span>
  );
}
