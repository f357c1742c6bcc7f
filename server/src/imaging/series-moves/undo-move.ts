import { t } from '@radwork/contract/core/translate';
import { incorrectWorklistEntry } from '@radwork/contract/imaging/rejections';
import { auditStudy } from '#core/audit/audit.ts';
import { conflict, orNotFound } from '#core/http/problem.ts';
import type { Scope } from '#core/access/scope.ts';
import { lockNames } from '#imaging/archive/index/batch-statements.ts';
import { endRejection, writeRejection } from '#imaging/archive/rejection/write-rejection.ts';
import { studyById, type StoredStudy } from '#imaging/studies/study-rows.ts';
import { binStudy, copiesOfMove, countOfStudy, isMovedOn, isReportedSince } from './move-rows.ts';
import { announceBoth, lockBoth, refuseWithoutRight } from './move-series.ts';

/**
 * Undoes a move: hides the copies and shows the originals again. Nothing is destroyed; a study that was created for the
 * copies goes to the recycle bin. If the target was deleted or purged, only shows the originals. Throws 409 if a report of
 * the target was written since, or the copies were moved on. Throws 404 for a target that the caller may not see.
 */
export const undoMove = async (scope: Scope, fromId: string, moveId: string, rejectionId: string): Promise<void> => {
  const move = orNotFound(
    await scope.db.selectFrom('series_moves').selectAll().where('id', '=', moveId).executeTakeFirst(),
    'rejection',
  );
  const target = move.to_study_id === null ? undefined : await liveTarget(scope, move.to_study_id);
  if (!target) {
    const from = await studyById(scope, fromId);
    await lockNames(scope.db, { names: [`${scope.session.tenantId} ${from.study_instance_uid}`] });
    await endAll(scope, from, { moveId, rejectionId });
    await announceBoth(scope, from);
    return;
  }
  const [from, to] = await lockBoth(scope, fromId, target);
  if (from.patient_id !== to.patient_id) refuseWithoutRight(scope);
  await refuseUsed(scope, to, move);
  await writeRejection(scope, {
    studyId: to.id,
    title: incorrectWorklistEntry,
    reasonCode: '',
    reasonMeaning: '',
    comment: '',
    noteUid: null,
    withheld: null,
    move: { id: moveId, isCopy: true },
    images: await copiesOfMove(scope, moveId),
  });
  if (move.is_new_study && (await countOfStudy(scope, to.id)) === 0) {
    await binStudy(scope, to.id);
    await auditStudy(scope, 'study.delete', to);
  }
  await endAll(scope, from, { moveId, rejectionId });
  await auditStudy(scope, 'study.undoSeriesMove', to, { fromStudyId: from.id });
  await announceBoth(scope, from, to);
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
  await auditStudy(scope, 'study.undoSeriesMove', from, { images });
};

/** Returns the ID of the target, or undefined if it is in the recycle bin. */
const liveTarget = async (scope: Scope, id: string): Promise<string | undefined> => {
  const study = await scope.db.selectFrom('studies').select('deleted_at').where('id', '=', id).executeTakeFirst();
  return study && study.deleted_at === null ? id : undefined;
};

const refuseUsed = async (scope: Scope, to: StoredStudy, move: { id: string; moved_at: string }): Promise<void> => {
  if (await isReportedSince(scope, to.id, move.moved_at)) {
    throw conflict(
      'series.reported',
      t`A report of the other study was written since the move. Undo would hide the images that it describes.`,
    );
  }
  if (await isMovedOn(scope, move.id)) {
    throw conflict('series.moved_on', t`The images were moved to a third study. Undo that move first.`);
  }
};
