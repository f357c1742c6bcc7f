import type { StudyStatus } from '@radwork/contract/imaging/study-status';
import { sql } from 'kysely';
import { announce } from '#core/live/announce.ts';
import type { Scope } from '#core/access/scope.ts';
import { recordTask } from '#core/jobs/task-history.ts';
import { endAssignmentsWith } from './open-assignments.ts';
import { notifyOfStatus } from './status-notice.ts';

type SystemMove = {
  from: readonly StudyStatus[];
  to: StudyStatus;
  cause: string;
  /** Whether the event that caused the move already notifies the users concerned. */
  isNotifiedByCause?: boolean;
};

/** Status changes that the system makes after other events. Users can make further changes themselves. */
export const systemMoves = {
  firstAssignment: { from: ['PENDING'], to: 'ASSIGNED', cause: 'The study was assigned', isNotifiedByCause: true },
  lastAssignmentRemoved: {
    from: ['ASSIGNED'],
    to: 'PENDING',
    cause: 'The last assignment was removed',
    isNotifiedByCause: true,
  },
  firstDraft: { from: ['PENDING', 'ASSIGNED'], to: 'IN_PROGRESS', cause: 'The report was created' },
  finalized: { from: ['PENDING', 'ASSIGNED', 'IN_PROGRESS'], to: 'COMPLETED', cause: 'The report was finalized' },
} satisfies Record<string, SystemMove>;

/**
 * Changes the status of a study after an event of its report or assignments, and tells browsers and users. A study with
 * a later status stays as it is.
 */
export const moveStudyAfter = async (scope: Scope, event: keyof typeof systemMoves, studyId: string): Promise<void> => {
  const { to, isNotifiedByCause }: SystemMove = systemMoves[event];
  if (!(await moveQuietlyAfter(scope, event, studyId))) return;
  await announce(scope, { kind: 'study', studyId });
  if (!isNotifiedByCause) await notifyOfStatus(scope, studyId, to);
};

/** Like `moveStudyAfter`, for callers that tell about many studies at once. Returns whether the status has changed. */
export const moveQuietlyAfter = async (
  scope: Scope,
  event: keyof typeof systemMoves,
  studyId: string,
): Promise<boolean> => {
  const { from, to, cause }: SystemMove = systemMoves[event];
  const moved = await scope.db
    .updateTable('studies')
    .set({ status: to, revision: sql`revision + 1`, updated_at: sql`now()` })
    .where('id', '=', studyId)
    .where('status', 'in', from)
    .returning('id')
    .executeTakeFirst();
  if (!moved) return false;
  await recordTask(scope, { studyId, type: 'STUDY_STATUS_CHANGE', displayValue: to, details: cause, isBySystem: true });
  await endAssignmentsWith(scope, studyId, to);
  return true;
};
