import { type StudyStatus, studyStatusLabels } from '@radwork/contract/imaging/study-status';
import { type PillShape, StatusPill, type Tone } from './status-pill.tsx';

const looks: Record<StudyStatus, { tone: Tone; shape?: PillShape }> = {
  PENDING: { tone: 'warning', shape: 'ring' },
  ASSIGNED: { tone: 'info' },
  IN_PROGRESS: { tone: 'primary', shape: 'half' },
  COMPLETED: { tone: 'success' },
  CANCELLED: { tone: 'danger', shape: 'diamond' },
  ARCHIVED: { tone: 'secondary' },
};

export const studyStatusLabel = (status: StudyStatus): string => studyStatusLabels[status];

/** Status of a study as a pill. */
export function StudyStatusPill({ status }: { status: StudyStatus }) {
  return <StatusPill {...looks[status]} label={studyStatusLabels[status]} />;
}
