import { amendedLabel } from '@radwork/contract/reading/report-parts';
import { reportStatusLabels } from '@radwork/contract/reading/report-status';
import { type ReportStatus, reportStatuses } from '@radwork/contract/imaging/study-marks';
import { type PillShape, StatusPill, type Tone } from '#ui/marks/status-pill.tsx';
import styles from './report-status.module.css';

const looks: Record<ReportStatus, { tone: Tone; shape?: PillShape }> = {
  DRAFT: { tone: 'warning', shape: 'ring' },
  PENDING_REVIEW: { tone: 'info' },
  REVISION_REQUIRED: { tone: 'danger' },
  APPROVED: { tone: 'success' },
  FINALIZED: { tone: 'primary' },
};

type Props = {
  status: string;
  /** Whether the report has a signed addendum or correction. */
  amended: boolean;
};

/** Status of a report. A status that only a newer server knows is shown as its code. */
export function ReportStatusPill({ status, amended }: Props) {
  const known = reportStatuses.find((candidate) => candidate === status);
  const pill = known ? (
    <StatusPill {...looks[known]} label={reportStatusLabels[known]} />
  ) : (
    <StatusPill tone="secondary" label={status} />
  );
  if (!amended) return pill;
  return (
    <span className={styles.both}>
      {pill}
      <StatusPill tone="warning" shape="diamond" label={amendedLabel} />
    </span>
  );
}
