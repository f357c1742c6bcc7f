import { sql } from 'kysely';
import { auditStudy } from '#core/audit/audit.ts';
import type { Scope } from '#core/access/scope.ts';
import { announce } from '#core/live/announce.ts';
import { lockNames } from '#imaging/archive/index/batch-statements.ts';
import { binStudy, uidsOfStudies } from './move-rows.ts';
import { restoreTarget } from './restore-target.ts';

/**
 * Ends a running move that failed or was canceled. The copies stay hidden. A study that was created for them goes to the
 * recycle bin, unless users use it. The caller holds the lock of the job. Returns false if the move has ended.
 */
export const endWithoutCopies = async (
  scope: Scope,
  id: string,
  { state, cause }: { state: 'FAILED' | 'CANCELED'; cause: string },
): Promise<boolean> => {
  const { db, session } = scope;
  const move = await db.selectFrom('series_moves').select('to_study_id').where('id', '=', id).executeTakeFirst();
  // Locks in the order of the other steps.
  const uids = move?.to_study_id ? await uidsOfStudies(scope, [move.to_study_id]) : [];
  await lockNames(db, { names: uids.map((uid) => `${session.tenantId} ${uid}`) });
  const ended = await db
    .updateTable('series_moves')
    .set({ state, cause, refiling: null, ended_at: sql`now()` })
    .where('id', '=', id)
    .where('state', '=', 'COPYING')
    .returning(['from_study_id', 'to_study_id', 'is_new_study'])
    .executeTakeFirst();
  if (!ended) return false;
  if (!ended.is_new_study) await restoreTarget(scope, id);
  else if (ended.to_study_id !== null) await binStudy(scope, ended.to_study_id);
  const from = await db
    .selectFrom('studies')
    .select(['id', 'patient_id'])
    .where('id', '=', ended.from_study_id)
    .executeTakeFirstOrThrow();
  await auditStudy(scope, state === 'FAILED' ? 'study.failSeriesMove' : 'study.cancelSeriesMove', from, { moveId: id });
  await announce(scope, { kind: 'study', studyId: from.id });
  return true;
};
