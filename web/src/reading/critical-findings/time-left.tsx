import { t } from '@lingui/core/macro';
import type { CriticalFindingSummary } from '@radwork/contract/reading/critical-findings';
import { formatMoment } from '#ui/formats/formats.ts';
import { useNow } from '#ui/formats/use-now.ts';
import { clockOf } from './communication-clock.ts';
import styles from './time-left.module.css';

/** Counts down the time left to communicate a finding. The fixed width prevents the layout from moving. */
export function TimeLeft({ finding }: { finding: Pick<CriticalFindingSummary, 'dueAt' | 'identifiedDateTime'> }) {
  const now = useNow(1000);
  const due = formatMoment(finding.dueAt);
  const { text, words, tone } = clockOf({ start: finding.identifiedDateTime, due: finding.dueAt }, now);
  return (
    <span className={styles.time} data-tone={tone} role="timer" aria-live="off" title={t`Due ${due}`}>
      <span className={styles.clock}>{text}</span>{' '}
      <span className={styles.words}>{words === 'left' ? t`left` : t`overdue`}</span>
    </span>
  );
}
