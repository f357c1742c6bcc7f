import type { CriticalState } from '@radwork/contract/critical-findings';
import { IconAlertOctagon } from '@tabler/icons-react';
import styles from './critical-mark.module.css';

const words: Partial<Record<CriticalState, string>> = {
  OPEN: 'Critical: not communicated',
  COMMUNICATED: 'Critical: not confirmed',
  ACKNOWLEDGED: 'Critical: acknowledged',
};

const shortWords: Partial<Record<CriticalState, string>> = {
  OPEN: 'Not told',
  COMMUNICATED: 'Told',
  ACKNOWLEDGED: 'Confirmed',
};

type Props = {
  state: CriticalState | null;
  /** In a column that is named after it, in fewer words and as wide as they are. */
  isShort?: boolean;
};

/** That something critical was found in a study, and how far it is known; nothing for what was withdrawn. */
export function CriticalMark({ state, isShort = false }: Props) {
  const text = state && (isShort ? shortWords : words)[state];
  if (!text) return null;
  return (
    <span className={styles.critical} data-state={state} data-short={isShort || undefined} title={words[state]}>
      <IconAlertOctagon size={13} stroke={1.9} aria-hidden />
      <span>{text}</span>
    </span>
  );
}
