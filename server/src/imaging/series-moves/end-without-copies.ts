import { sql } from 'kysely';
import { auditStudy } from '#core/audit/audit.ts';
import type { Scope } from '#core/access/scope.ts';
import { Problem } from '#core/http/problem.ts';
import { announce } from '#core/live/announce.ts';
import { lockNames } from '#imaging/archive/index/batch-statements.ts';
import { refuseToLose } from '#imaging/studies/recycle-bin.ts';
import { binStudy, uidsOfStudies } from './move-rows.ts';
import { restoreTarget } from './restore-target.ts';

/** Ends a running move without its copies. Its job then cleans up. Returns false if the move has ended. */
export const markCanceled = (scope: Scope, id: string): Promise<boolean> =>
  endRunning(scope, id, { state: 'CANCELED', cause: '' });

/** Ends a running move as failed, and cleans up. A canceled move stays canceled. The caller holds the lock of the job. */
export const failMove = async (scope: Scope, id: string, cause: string): Promise<void> => {
  // Locks in the order of the other steps.
  await lockTarget(scope, id);
  await endRunning(scope, id, { state: 'FAILED', cause });
  await cleanUp(scope, id);
};

/**
 * Restores the target of a failed or canceled move, whose copies stay hidden. A study that was created for them goes to the
 * recycle bin, unless it is used or must be kept. Can be repeated. The scope is that of the server, because the user who
 * canceled may not see the target.
 */
export const cleanUp = async (scope: Scope, id: string): Promise<void> => {
  await lockTarget(scope, id);
  const move = await scope.db
    .updateTable('series_moves')
    .set({ refiling: null })
    .where('id', '=', id)
    .where('state', 'in', ['FAILED', 'CANCELED'])
    .returning(['to_study_id', 'is_new_study'])
    .executeTakeFirst();
  if (!move || move.to_study_id === null) return;
  if (move.is_new_study) await binUnused(scope, move.to_study_id);
  else await restoreTarget(scope, id);
  await announce(scope, { kind: 'study', studyId: move.to_study_id });
};

const lockTarget = async (scope: Scope, id: string): Promise<void> => {
  const { db, session } = scope;
  const move = await db.selectFrom('series_moves').select('to_study_id').where('id', '=', id).executeTakeFirst();
  const uids = move?.to_study_id ? await uidsOfStudies(scope, [move.to_study_id]) : [];
  await lockNames(db, { names: uids.map((uid) => `${session.tenantId} ${uid}`) });
};

type End = { state: 'FAILED' | 'CANCELED'; cause: string };

const endRunning = async (scope: Scope, id: string, { state, cause }: End): Promise<boolean> => {
  const { db } = scope;
  const ended = await db
    .updateTable('series_moves')
    .set({ state, cause, ended_at: sql`now()` })
    .where('id', '=', id)
    .where('state', '=', 'COPYING')
    .returning(['from_study_id', 'to_study_id', 'to_patient_id'])
    .executeTakeFirst();
  if (!ended) return false;
  const { from_study_id, to_study_id, to_patient_id } = ended;
  const action = state === 'FAILED' ? 'study.failSeriesMove' : 'study.cancelSeriesMove';
  const studies = await db
    .selectFrom('studies')
    .select(['id', 'patient_id'])
    .where('id', 'in', [from_study_id, ...(to_study_id === null ? [] : [to_study_id])])
    .execute();
  for (const study of studies) await auditStudy(scope, action, study, { moveId: id });
  const isToSeen = studies.some((study) => study.id === to_study_id);
  if (to_study_id !== null && to_patient_id !== null && !isToSeen) {
    await auditStudy(scope, action, { id: to_study_id, patient_id: to_patient_id }, { moveId: id });
  }
  await announce(scope, { kind: 'study', studyId: from_study_id });
  return true;
};

/** Moves a study that was created for copies to the recycle bin, unless it must be kept. */
const binUnused = async (scope: Scope, id: string): Promise<void> => {
  const study = await scope.db
    .selectFrom('studies')
    .select(['id', 'patient_id', 'is_on_legal_hold'])
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .forNoKeyUpdate()
    .executeTakeFirst();
  if (!study) return;
  try {
    await refuseToLose(scope, study);
  } catch (error) {
    if (error instanceof Problem) return;
    throw error;
  }
  if (await binStudy(scope, id)) await auditStudy(scope, 'study.delete', study);
};
