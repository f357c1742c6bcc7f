import { t } from '@lingui/core/macro';
import type { CriticalState } from '@radwork/contract/imaging/study-marks';
import { IconAlertOctagon } from '@tabler/icons-react';
import styles from './critical-mark.module.css';

const words: Partial<Record<CriticalState, string>> = {
  OPEN: t`Critical: not communicated`,
  COMMUNICATED: t`Critical: not acknowledged`,
  ACKNOWLEDGED: t`Critical: acknowledged`,
};

const shortWords: Partial<Record<CriticalState, string>> = {
  OPEN: t`Not communicated`,
  COMMUNICATED: t`Communicated`,
  ACKNOWLEDGED: t`Acknowledged`,
};

type Props = {
  state: CriticalState | null;
  /** Whether to use a short text, for a column with its own heading. */
  isShort?: boolean;
};

/** Shows that a study has a critical finding, and whether it was communicated. Empty for a withdrawn finding. */
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
