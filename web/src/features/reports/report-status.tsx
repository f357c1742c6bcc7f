import { type ReportStatus, reportStatuses, reportStatusLabels } from '@radwork/contract/reports';
import { type PillShape, StatusPill, type Tone } from '#ui/status-pill.tsx';

const looks: Record<ReportStatus, { tone: Tone; shape?: PillShape }> = {
  DRAFT: { tone: 'warning', shape: 'ring' },
  PENDING_REVIEW: { tone: 'info' },
  REVISION_REQUIRED: { tone: 'danger' },
  APPROVED: { tone: 'success' },
  FINALIZED: { tone: 'primary' },
};

/** How far a report has come, in a word. A status of a newer server shows as it is. */
export function ReportStatusPill({ status }: { status: string }) {
  const known = reportStatuses.find((candidate) => candidate === status);
  return known ? (
    <StatusPill {...looks[known]} label={reportStatusLabels[known]} />
  ) : (
    <StatusPill tone="secondary" label={status} />
  );
}
