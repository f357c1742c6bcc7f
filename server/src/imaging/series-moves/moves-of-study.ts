import { t } from '@radwork/contract/core/translate';
import type { SeriesMove } from '@radwork/contract/imaging/series-moves';
import { conflict, orNotFound } from '#core/http/problem.ts';
import type { Scope } from '#core/access/scope.ts';
import { runJobNow } from '#core/jobs/jobs.ts';
import { isId } from '#core/values/ids.ts';
import { studyById } from '#imaging/studies/study-rows.ts';
import { markCanceled } from './end-without-copies.ts';
import { movesFrom } from './move-rows.ts';

/** Lists the moves of series of a study that run, or have ended within a day, latest first. Throws 404 for the study. */
export const movesOfStudy = async (scope: Scope, studyId: string): Promise<SeriesMove[]> => {
  await studyById(scope, studyId);
  return movesFrom(scope, studyId);
};

/** Returns a move of a series of a study. Throws 404. */
export const moveOfStudy = async (scope: Scope, studyId: string, id: string): Promise<SeriesMove> => {
  const [move] = isId(id) ? await movesFrom(scope, studyId, id) : [];
  return orNotFound(move, 'move');
};

/**
 * Cancels a running move. The originals stay, and the copies stay hidden. The job restores the target after the images that
 * it is storing. Throws 404, and 409 if the move has ended.
 */
export const cancelMove = async (scope: Scope, studyId: string, id: string): Promise<SeriesMove> => {
  await studyById(scope, studyId);
  await moveOfStudy(scope, studyId, id);
  // Locks the job before the move, as the end of a run does. In another order, the two could deadlock.
  await runJobNow(scope, id);
  if (!(await markCanceled(scope, id))) {
    throw conflict('series.move_ended', t`The move has ended and cannot be canceled.`);
  }
  return moveOfStudy(scope, studyId, id);
};
