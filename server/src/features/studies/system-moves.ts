import type { StudyStatus } from '@radwork/contract/studies';
import { sql } from 'kysely';
import type { Scope } from '#core/scope.ts';
import { noteTask } from '#core/task-history.ts';

type SystemMove = { from: readonly StudyStatus[]; to: StudyStatus; cause: string };

/** Moves that follow from something else, beside those that people may make (C26). */
const systemMoves = {
  firstDraft: { from: ['PENDING', 'ASSIGNED'], to: 'IN_PROGRESS', cause: 'The report was begun' },
  finalized: { from: ['PENDING', 'ASSIGNED', 'IN_PROGRESS'], to: 'COMPLETED', cause: 'The report was finalized' },
} satisfies Record<string, SystemMove>;

/** Moves a study because of what happened to its report; a study that is further on already stays where it is. */
export const moveStudyAfter = async (scope: Scope, event: keyof typeof systemMoves, studyId: string): Promise<void> => {
  const { from, to, cause }: SystemMove = systemMoves[event];
  const moved = await scope.db
    .updateTable('studies')
    .set({ status: to, revision: sql`revision + 1`, updated_at: sql`now()` })
    .where('id', '=', studyId)
    .where('status', 'in', from)
    .returning('id')
    .executeTakeFirst();
  if (!moved) return;
  await noteTask(scope, { studyId, type: 'STUDY_STATUS_CHANGE', displayValue: to, details: cause, isBySystem: true });
};
