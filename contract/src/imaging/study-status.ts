import type { Moves } from '../core/moves.ts';
import { translated } from '../core/translate.ts';

export const studyStatuses = ['PENDING', 'ASSIGNED', 'IN_PROGRESS', 'COMPLETED', 'CANCELLED', 'ARCHIVED'] as const;
export type StudyStatus = (typeof studyStatuses)[number];

/** Labels of the statuses. */
export const studyStatusLabels: Record<StudyStatus, string> = translated({
  PENDING: 'Pending',
  ASSIGNED: 'Assigned',
  IN_PROGRESS: 'In progress',
  COMPLETED: 'Completed',
  CANCELLED: 'Canceled',
  ARCHIVED: 'Archived',
});

/** Changes of the status that users can make. Automatic changes are defined in the code that causes them. */
export const studyMoves: Moves<StudyStatus> = {
  PENDING: ['ASSIGNED', 'IN_PROGRESS', 'CANCELLED'],
  ASSIGNED: ['IN_PROGRESS', 'CANCELLED'],
  IN_PROGRESS: ['COMPLETED', 'CANCELLED'],
  COMPLETED: ['ARCHIVED'],
  CANCELLED: ['ARCHIVED'],
  ARCHIVED: [],
};

const progress: Record<StudyStatus, number> = {
  PENDING: 10,
  ASSIGNED: 20,
  IN_PROGRESS: 40,
  COMPLETED: 95,
  CANCELLED: 95,
  ARCHIVED: 100,
};

/** Returns the progress of a study in percent; 0 for an unknown status. */
export const progressOf = (status: string): number => progress[status as StudyStatus] ?? 0;
