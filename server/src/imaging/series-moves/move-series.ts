import { t } from '@radwork/contract/core/translate';
import type { Body } from '@radwork/contract/core/endpoint';
import { incorrectWorklistEntry } from '@radwork/contract/imaging/rejections';
import type { SeriesMove, seriesMoves as endpoints } from '@radwork/contract/imaging/series-moves';
import type { Elements } from '@radwork/dicom/part10';
import type { Refiling } from '@radwork/dicom/refile-header';
import { newUid } from '@radwork/dicom/uid';
import { auditStudy } from '#core/audit/audit.ts';
import { emit } from '#core/events/emit.ts';
import { conflict, forbidden, orNotFound } from '#core/http/problem.ts';
import { enqueueJob } from '#core/jobs/jobs.ts';
import { announce } from '#core/live/announce.ts';
import { hasPermission, type Scope } from '#core/access/scope.ts';
import { newId } from '#core/values/ids.ts';
import { lockNames } from '#imaging/archive/index/batch-statements.ts';
import { writeRejection } from '#imaging/archive/rejection/write-rejection.ts';
import { patientToReceive } from '#imaging/patient-records/patient-rows.ts';
import { aboutStudy } from '#imaging/study-documents/read-study-attributes.ts';
import { deletedStudyToChange, type StoredStudy, studyById, studyToChange } from '#imaging/studies/study-rows.ts';
import { createTarget, imagesOfSeries, isMoving, uidsOfStudies } from './move-rows.ts';
import { moveOfStudy } from './moves-of-study.ts';
import { noteTarget } from './restore-target.ts';

type Form = Body<typeof endpoints.move>;

/**
 * Begins to move a series to another study, or to a new study of a patient. A job stores copies with new UIDs, then rejects
 * the originals as "Incorrect Modality Worklist Entry" (IHE RAD TF-2 §4.66). The copies are hidden until all are stored, so
 * readers never see both. Throws 404 for studies and patients that the caller may not see. Throws 403 without the right to
 * move between patients, and 409 for a series with a lost file or a running move, or with more annotations than the target can take.
 */
export const moveSeries = async (scope: Scope, studyId: string, form: Form): Promise<SeriesMove> => {
  const from = await studyById(scope, studyId);
  const seriesUid = form.seriesInstanceUID;
  const images = await imagesOfSeries(scope, studyId, seriesUid);
  const target = await targetOf(scope, from, form);
  orNotFound(images[0], 'series');
  if (images.some(({ isMissing }) => isMissing)) {
    throw conflict('series.not_copied', t`The file of an image is lost, so the series cannot be moved.`);
  }
  const isNewStudy = target.study === undefined;
  const to = target.study
    ? { id: target.study.id, uid: target.study.study_instance_uid }
    : await createTarget(scope, from, target.patient);
  // An upload to the target sets its counts, too. Two moves of the series wait for each other.
  const uidsToLock = [from.study_instance_uid, to.uid].toSorted();
  await lockNames(scope.db, { names: uidsToLock.map((uid) => `${scope.session.tenantId} ${uid}`) });
  if (await isMoving(scope, studyId, seriesUid)) {
    throw conflict('series.moving', t`The series is already being moved.`);
  }
  await emit(scope, 'study.seriesMoveBegun', { fromId: studyId, toId: to.id, seriesUid });
  const id = newId();
  const uids = new Map([[seriesUid, newUid()], ...images.map((one) => [one.sopInstanceUID, newUid()] as const)]);
  const { about } = await aboutStudy(scope, to);
  const { session } = scope;
  await scope.db
    .insertInto('series_moves')
    .values({
      id,
      from_study_id: studyId,
      to_study_id: to.id,
      from_patient_id: from.patient_id,
      to_patient_id: target.patient.id,
      is_new_study: isNewStudy,
      state: 'COPYING',
      series_instance_uid: seriesUid,
      image_count: images.length,
      uids: JSON.stringify(Object.fromEntries(uids)),
      refiling: JSON.stringify({
        attributes: textsOf(about),
        isOtherPatient: target.patient.id !== from.patient_id,
      } satisfies StoredRefiling),
      moved_by: session.userId,
      moved_by_tenant_id: session.homeTenantId ?? session.tenantId,
      moved_by_name: session.name || session.username,
    })
    .execute();
  if (!isNewStudy) await noteTarget(scope, id);
  const uidOf = (uid: string) => uids.get(uid) ?? uid;
  await writeRejection(scope, {
    ...moveRejection,
    studyId: to.id,
    move: { id, isCopy: true },
    images: images.map(({ sopInstanceUID }) => ({
      seriesInstanceUID: uidOf(seriesUid),
      sopInstanceUID: uidOf(sopInstanceUID),
    })),
  });
  if (isNewStudy) await auditStudy(scope, 'study.create', { id: to.id, patient_id: target.patient.id });
  await auditStudy(scope, 'study.beginSeriesMove', from, { toStudyId: to.id, seriesInstanceUid: seriesUid });
  await enqueueJob(scope, moveQueue, id);
  return moveOfStudy(scope, studyId, id);
};

/** Queue of the jobs that store copies. */
export const moveQueue = 'series-moves';

/** Attributes of the copies, as stored with the move. */
export type StoredRefiling = Pick<Refiling, 'isOtherPatient'> & { attributes: Record<string, string> };

/** The rejection that hides originals after a move, and copies before its end and after its undo. */
export const moveRejection = {
  title: incorrectWorklistEntry,
  reasonCode: '',
  reasonMeaning: '',
  comment: '',
  noteUid: null,
  withheld: null,
} as const;

/** Elements of patient and study as text. Elements without a value are written empty. */
const textsOf = (about: Elements): Record<string, string> => ({
  IssuerOfPatientID: '',
  ...Object.fromEntries(
    Object.entries(about).map(([keyword, value]) => [keyword, typeof value === 'string' ? value : '']),
  ),
});

/** Returns the target, if the caller may see and change it. */
const targetOf = async (scope: Scope, from: StoredStudy, { toStudyId, toPatientId }: Form) => {
  const study = toStudyId === undefined ? undefined : await studyById(scope, toStudyId);
  const patient = await patientToReceive(scope, study?.patient_id ?? toPatientId ?? '');
  if (patient.id !== from.patient_id) refuseWithoutRight(scope);
  if (study?.id === from.id) throw conflict('series.is_here', t`The series already belongs to this study.`);
  if (patient.merged_into !== null) {
    throw conflict('patient.merged', t`Patient ${patient.patient_id} was merged into another patient in the meantime.`);
  }
  return { study, patient };
};

/** Throws 403 unless the caller may move images between patients, as for a whole study. */
export const refuseWithoutRight = ({ session }: Scope): void => {
  if (!hasPermission(session, 'patient.merge')) throw forbidden();
};

/** Locks both studies as uploads do. `isBinned`: the target is in the recycle bin. */
export const lockBoth = async (
  scope: Scope,
  fromId: string,
  toId: string,
  { isBinned = false }: { isBinned?: boolean } = {},
): Promise<[from: StoredStudy, to: StoredStudy]> => {
  // Two transactions that lock the names first cannot wait for each other's rows.
  const uids = await uidsOfStudies(scope, [fromId, toId]);
  await lockNames(scope.db, { names: uids.toSorted().map((uid) => `${scope.session.tenantId} ${uid}`) });
  const locked: StoredStudy[] = [];
  for (const id of [fromId, toId].toSorted()) {
    locked.push(await (id === toId && isBinned ? deletedStudyToChange : studyToChange)(scope, id));
  }
  const named = (id: string) =>
    orNotFound(
      locked.find((study) => study.id === id),
      'study',
    );
  return [named(fromId), named(toId)];
};

export const announceBoth = async (scope: Scope, ...studies: readonly Pick<StoredStudy, 'id' | 'patient_id'>[]) => {
  for (const { id } of studies) {
    await announce(scope, { kind: 'study', studyId: id });
    await announce(scope, { kind: 'measurements', studyId: id });
  }
};
