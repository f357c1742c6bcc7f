import type { StudyStatus } from '@radwork/contract/studies';
import { type PillShape, StatusPill, type Tone } from '#ui/status-pill.tsx';

const looks: Record<StudyStatus, { label: string; tone: Tone; shape?: PillShape }> = {
  PENDING: { label: 'Pending', tone: 'warning', shape: 'ring' },
  ASSIGNED: { label: 'Assigned', tone: 'info' },
  IN_PROGRESS: { label: 'In progress', tone: 'primary', shape: 'half' },
  COMPLETED: { label: 'Completed', tone: 'success' },
  CANCELLED: { label: 'Cancelled', tone: 'danger', shape: 'diamond' },
  ARCHIVED: { label: 'Archived', tone: 'secondary' },
};

export const studyStatusLabel = (status: StudyStatus): string => looks[status].label;

/** How far the work on a study has come, in a word. */
export function StudyStatusPill({ status }: { status: StudyStatus }) {
  return <StatusPill {...looks[status]} />;
}
