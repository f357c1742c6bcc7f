import { t } from '@radwork/contract/core/translate';
import { auditStudy } from '#core/audit/audit.ts';
import { emit } from '#core/events/emit.ts';
import { conflict, orNotFound } from '#core/http/problem.ts';
import type { Scope } from '#core/access/scope.ts';
import { lockNames } from '#imaging/archive/index/batch-statements.ts';
import { recountDose } from '#imaging/archive/index/dose-of-files.ts';
import { endRejection, writeRejection } from '#imaging/archive/rejection/write-rejection.ts';
import { refuseToLose } from '#imaging/studies/recycle-bin.ts';
import { type StoredStudy, studyById, studyToChange } from '#imaging/studies/study-rows.ts';
import { binStudy, copiesOfMove, countOfStudy, isMovedOn, isReportedSince } from './move-rows.ts';
import { announceBoth, lockBoth, moveRejection, refuseWithoutRight } from './move-series.ts';
import { restoreTarget } from './restore-target.ts';

/**
 * Undoes a move: hides the copies and shows the originals again. Nothing is destroyed; a study that was created for the
 * copies goes to the recycle bin. Hides the copies of a target in the recycle bin, too, because it can be restored. If
 * the target was purged, only shows the originals. Throws 409 if a new study must be kept, or if the copies were moved
 * on. Also throws 409 if a report or critical finding of the target was written since. Throws 404 for a target that the
 * caller may not see.
 */
export const undoMove = async (scope: Scope, fromId: string, moveId: string, rejectionId: string): Promise<void> => {
  const move = orNotFound(
    await scope.db.selectFrom('series_moves').selectAll().where('id', '=', moveId).executeTakeFirst(),
    'rejection',
  );
  if (move.to_study_id === null) {
    const from = await studyById(scope, fromId);
    await lockNames(scope.db, { names: [`${scope.session.tenantId} ${from.study_instance_uid}`] });
    await studyToChange(scope, fromId);
    await endAll(scope, from, { moveId, rejectionId });
    await announceBoth(scope, from);
    return;
  }
  const isBinned = await isInBin(scope, move.to_study_id);
  const [from, to] = await lockBoth(scope, fromId, move.to_study_id, { isBinned });
  if (from.patient_id !== to.patient_id) refuseWithoutRight(scope);
  await refuseUsed(scope, to, move);
  await writeRejection(scope, {
    ...moveRejection,
    studyId: to.id,
    move: { id: moveId, isCopy: true },
    images: await copiesOfMove(scope, moveId),
  });
  await restoreTarget(scope, moveId);
  if (move.is_new_study && !isBinned && (await countOfStudy(scope, to.id)) === 0) {
    await refuseToLose(scope, to);
    if (await binStudy(scope, to.id)) await auditStudy(scope, 'study.delete', to);
  }
  await endAll(scope, from, { moveId, rejectionId });
  await emit(scope, 'study.seriesReturned', { moveId, fromId: from.id, toId: to.id });
  await auditStudy(scope, 'study.undoSeriesMove', to, { fromStudyId: from.id });
  await announceBoth(scope, ...(isBinned ? [from] : [from, to]));
};

const endAll = async (
  scope: Scope,
  from: StoredStudy,
  { moveId, rejectionId }: { moveId: string; rejectionId: string },
): Promise<void> => {
  const undone = await scope.db
    .updateTable('series_moves')
    .set({ state: 'UNDONE' })
    .where('id', '=', moveId)
    .where('state', '=', 'DONE')
    .returning('id')
    .executeTakeFirst();
  // Another user has undone the move at the same time.
  orNotFound(undone, 'rejection');
  const images = await endRejection(scope, from.id, rejectionId);
  await recountDose(scope, from.id, { canRise: true });
  await auditStudy(scope, 'study.undoSeriesMove', from, { images });
};

const isInBin = async (scope: Scope, id: string): Promise<boolean> => {
  const study = await scope.db.selectFrom('studies').select('deleted_at').where('id', '=', id).executeTakeFirst();
  return Boolean(study?.deleted_at);
};

const refuseUsed = async (scope: Scope, to: StoredStudy, move: { id: string; moved_at: string }): Promise<void> => {
  if (await isReportedSince(scope, to.id, move.moved_at)) {
    throw conflict(
      'series.reported',
      t`A report or critical finding of the other study was written since the move. Undo would hide the images that it describes.`,
    );
  }
  if (await isMovedOn(scope, move.id)) {
    throw conflict('series.moved_on', t`The images were moved to a third study. Undo that move first.`);
  }
};
