import { t } from '@lingui/core/macro';
import { type CriticalSeverity, criticalStateLabels } from '@radwork/contract/reading/critical-finding-states';
import type { CriticalState } from '@radwork/contract/imaging/study-marks';
import { type PillShape, StatusPill, type Tone } from '#ui/marks/status-pill.tsx';
import styles from './finding-marks.module.css';

const severityTones: Record<CriticalSeverity, Tone> = { CRITICAL: 'danger', URGENT: 'warning', SIGNIFICANT: 'info' };

const severityWords: Record<CriticalSeverity, string> = {
  CRITICAL: t`Critical`,
  URGENT: t`Urgent`,
  SIGNIFICANT: t`Significant`,
};

/** Shows the severity as one to three bars and as text. */
export function SeverityMark({ severity }: { severity: CriticalSeverity }) {
  return (
    <span className={styles.severity} data-tone={severityTones[severity]} data-severity={severity}>
      {severityWords[severity]}
    </span>
  );
}

const stateLooks: Record<CriticalState, { tone: Tone; shape: PillShape }> = {
  OPEN: { tone: 'danger', shape: 'ring' },
  COMMUNICATED: { tone: 'warning', shape: 'half' },
  ACKNOWLEDGED: { tone: 'success', shape: 'dot' },
  WITHDRAWN: { tone: 'secondary', shape: 'diamond' },
};

export function FindingState({ state }: { state: CriticalState }) {
  return <StatusPill {...stateLooks[state]} label={criticalStateLabels[state]} />;
}
