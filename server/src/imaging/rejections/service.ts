import { t } from '@radwork/contract/core/translate';
import type { Body, Query } from '@radwork/contract/core/endpoint';
import type { Rejection, RejectionPreview, rejections as endpoints } from '@radwork/contract/imaging/rejections';
import { auditStudy } from '#core/audit/audit.ts';
import { conflict, orNotFound } from '#core/http/problem.ts';
import { announce } from '#core/live/announce.ts';
import type { Scope } from '#core/access/scope.ts';
import { lockNames } from '#imaging/archive/index/batch-statements.ts';
import { endRejection, writeRejection } from '#imaging/archive/rejection/write-rejection.ts';
import { undoMove } from '#imaging/series-moves/undo-move.ts';
import { type StoredStudy, studyById, studyToChange } from '#imaging/studies/study-rows.ts';
import { contentsToReject, rejectionById, rejectionsOfStudy, selectedImages, toRejection } from './rejection-rows.ts';

/** Lists the rejections of a study that were not undone, latest first. Throws 404 for the study. */
export const list = async (scope: Scope, id: string): Promise<Rejection[]> => {
  await studyById(scope, id);
  return (await rejectionsOfStudy(scope, id)).map(toRejection);
};

/** Returns what a rejection would hide: nothing, if readers do not see the images. Throws 404 for the study. */
export const preview = async (
  scope: Scope,
  id: string,
  selection: Query<typeof endpoints.preview>,
): Promise<RejectionPreview> => {
  const study = await studyById(scope, id);
  const images = await selectedImages(scope, study.id, selection);
  const contents = await contentsToReject(scope, study, images);
  return {
    images: images.length,
    isWholeStudy: images.length > 0 && images.length === study.instance_count,
    keyImages: contents.key_images,
    measurements: contents.measurements,
    hasFinalizedReport: contents.has_finalized_report,
    isOnLegalHold: study.is_on_legal_hold,
  };
};

/**
 * Hides images from readers until they are restored. Nothing is deleted, so a legal hold and a finalized report do not
 * prevent it. Throws 404 for the study, and for images that readers do not see.
 */
export const reject = async (
  scope: Scope,
  id: string,
  { title, reason, comment, ...selection }: Body<typeof endpoints.reject>,
): Promise<Rejection> => {
  const study = await lockedStudy(scope, id);
  const images = await selectedImages(scope, study.id, selection);
  orNotFound(images[0], selection.sopInstanceUID === undefined ? 'series' : 'image');
  const { id: rejectionId, hidden } = await writeRejection(scope, {
    studyId: id,
    title,
    // CID 7011 modifies only the title "Rejected for Quality Reasons".
    reasonCode: title === '113001' ? (reason ?? '') : '',
    reasonMeaning: '',
    comment,
    noteUid: null,
    withheld: null,
    images,
  });
  if (hidden === 0) throw conflict('rejection.exists', t`Another user rejected these images.`);
  await auditStudy(scope, 'study.reject', study, { title, images: hidden, ...levelOf(selection) });
  await announceHidden(scope, id);
  return toRejection(orNotFound(await rejectionById(scope, id, rejectionId), 'rejection'));
};

/**
 * Undoes a rejection, and the move for which images were rejected. Throws 404 for the study, and for a rejection that was
 * undone.
 */
export const restore = async (scope: Scope, { id, rejectionId }: { id: string; rejectionId: string }) => {
  const known = await studyById(scope, id).then(() => rejectionById(scope, id, rejectionId));
  if (known?.move_id) {
    await undoMove(scope, id, known.move_id, known.id);
    return;
  }
  const study = await lockedStudy(scope, id);
  const rejection = orNotFound(await rejectionById(scope, id, rejectionId), 'rejection');
  const images = await endRejection(scope, id, rejection.id);
  await auditStudy(scope, 'study.restoreImages', study, { title: rejection.title, images });
  await announceHidden(scope, id);
};

/** Lists of key images and measurements change with the study. */
const announceHidden = async (scope: Scope, studyId: string) => {
  await announce(scope, { kind: 'study', studyId });
  await announce(scope, { kind: 'measurements', studyId });
};

type Selection = Query<typeof endpoints.preview>;

const levelOf = ({ seriesInstanceUID, sopInstanceUID }: Selection) =>
  sopInstanceUID === undefined ? { seriesInstanceUid: seriesInstanceUID } : { sopInstanceUid: sopInstanceUID };

/** Locks the study as uploads do, because both set its counts. */
const lockedStudy = async (scope: Scope, id: string): Promise<StoredStudy> => {
  const { study_instance_uid: uid } = await studyById(scope, id);
  await lockNames(scope.db, { names: [`${scope.session.tenantId} ${uid}`] });
  return studyToChange(scope, id);
};
