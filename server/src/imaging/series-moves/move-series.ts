import { t } from '@radwork/contract/core/translate';
import type { Body, Reply } from '@radwork/contract/core/endpoint';
import { incorrectWorklistEntry } from '@radwork/contract/imaging/rejections';
import type { seriesMoves as endpoints } from '@radwork/contract/imaging/series-moves';
import type { Elements } from '@radwork/dicom/part10';
import type { Refiling } from '@radwork/dicom/refile-header';
import { newUid } from '@radwork/dicom/uid';
import { auditStudy } from '#core/audit/audit.ts';
import { emit } from '#core/events/emit.ts';
import type { Context } from '#core/context.ts';
import { conflict, forbidden, orNotFound } from '#core/http/problem.ts';
import { announce } from '#core/live/announce.ts';
import { hasPermission, type Scope, type Session } from '#core/access/scope.ts';
import { newId } from '#core/values/ids.ts';
import { lockNames } from '#imaging/archive/index/batch-statements.ts';
import { recountDose } from '#imaging/archive/index/dose-of-files.ts';
import { endRejection, writeRejection } from '#imaging/archive/rejection/write-rejection.ts';
import { storeInstances } from '#imaging/archive/store/store-instances.ts';
import { patientToReceive } from '#imaging/patient-records/patient-rows.ts';
import { aboutStudy } from '#imaging/study-documents/read-study-attributes.ts';
import { deletedStudyToChange, type StoredStudy, studyById, studyToChange } from '#imaging/studies/study-rows.ts';
import { copiesOf } from './copy-images.ts';
import {
  binStudy,
  createTarget,
  endedMove,
  failMove,
  imagesOfSeries,
  moveById,
  type SeriesImage,
  uidsOfStudies,
} from './move-rows.ts';
import { noteTarget, restoreTarget } from './restore-target.ts';

type Archive = Pick<Context, 'blobs' | 'scopes' | 'config' | 'metrics'>;
type Form = Body<typeof endpoints.move>;

/** A move whose copies are being stored. They stay hidden until it ends. */
type BegunMove = {
  id: string;
  fromId: string;
  toId: string;
  toUid: string;
  toPatientId: string;
  isNewStudy: boolean;
  seriesUid: string;
  images: SeriesImage[];
  /** The rejection that hides the copies. */
  copiesRejection: string;
  refiling: Refiling;
};

/** Maximum bytes of a series, so that the answer comes before a proxy gives up waiting. */
const mostBytes = 4 * 2 ** 30;

/**
 * Moves a series to another study, or to a new study of a patient. Stores copies with new UIDs, then rejects the originals
 * as "Incorrect Modality Worklist Entry" (IHE RAD TF-2 §4.66). The copies are hidden until all are stored, so readers never
 * see both. Throws 404 for studies and patients that the caller may not see. Throws 403 without the right to move between
 * patients, and 409 when an image cannot be copied or the series changed.
 */
export const moveSeries = async (
  archive: Archive,
  session: Session,
  studyId: string,
  form: Form,
): Promise<Reply<typeof endpoints.move>> => {
  const { scopes, blobs } = archive;
  const begun = await scopes.inTenant(session, (scope) => begin(scope, studyId, form));
  try {
    const files = copiesOf(blobs, session.tenantId, begun.images, begun.refiling);
    const { refused, stored } = await storeInstances(archive, session, files, {
      studyInstanceUID: () => begun.toUid,
    });
    const [refusal] = refused;
    if (refusal) throw conflict('series.not_copied', t`An image cannot be moved: ${refusal.reason}`);
    if (stored.length < begun.images.length) throw changed();
    return await scopes.inTenant(session, (scope) => end(scope, begun));
  } catch (error) {
    const ended = await scopes.inTenant(session, (scope) => fail(scope, begun));
    if (ended) return ended;
    throw error;
  }
};

const changed = () => conflict('series.changed', t`Images of the series have changed. Try again.`);

const begin = async (scope: Scope, studyId: string, form: Form): Promise<BegunMove> => {
  const from = await studyById(scope, studyId);
  const seriesUid = form.seriesInstanceUID;
  const images = await imagesOfSeries(scope, studyId, seriesUid);
  const target = await targetOf(scope, from, form);
  orNotFound(images[0], 'series');
  refuseUncopyable(images);
  const isNewStudy = target.study === undefined;
  const to = target.study
    ? { id: target.study.id, uid: target.study.study_instance_uid }
    : await createTarget(scope, from, target.patient);
  // An upload to the target sets its counts, too.
  await lockNames(scope.db, { names: [`${scope.session.tenantId} ${to.uid}`] });
  const id = newId();
  const uids = new Map([[seriesUid, newUid()], ...images.map((one) => [one.sopInstanceUID, newUid()] as const)]);
  await scope.db
    .insertInto('series_moves')
    .values({
      id,
      from_study_id: studyId,
      to_study_id: to.id,
      is_new_study: isNewStudy,
      state: 'COPYING',
      moved_by_name: scope.session.name || scope.session.username,
      uids: JSON.stringify(Object.fromEntries(uids)),
    })
    .execute();
  if (!isNewStudy) await noteTarget(scope, id);
  const uidOf = (uid: string) => uids.get(uid) ?? uid;
  const { id: copiesRejection } = await writeRejection(scope, {
    ...moveRejection,
    studyId: to.id,
    move: { id, isCopy: true },
    images: images.map(({ sopInstanceUID }) => ({
      seriesInstanceUID: uidOf(seriesUid),
      sopInstanceUID: uidOf(sopInstanceUID),
    })),
  });
  if (isNewStudy) await auditStudy(scope, 'study.create', { id: to.id, patient_id: target.patient.id });
  const { about } = await aboutStudy(scope, to);
  const isOtherPatient = target.patient.id !== from.patient_id;
  return {
    id,
    fromId: studyId,
    toId: to.id,
    toUid: to.uid,
    toPatientId: target.patient.id,
    isNewStudy,
    seriesUid,
    images,
    copiesRejection,
    refiling: { attributes: textsOf(about), uids, isOtherPatient },
  };
};

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

const refuseUncopyable = (images: readonly SeriesImage[]): void => {
  if (images.some(({ isMissing }) => isMissing)) {
    throw conflict('series.not_copied', t`The file of an image is lost, so the series cannot be moved.`);
  }
  if (images.reduce((sum, { size }) => sum + size, 0) > mostBytes) {
    throw conflict('series.not_copied', t`The series is larger than 4 GB and cannot be moved here.`);
  }
};

/** Shows the copies and rejects the originals, in one transaction. */
const end = async (scope: Scope, move: BegunMove): Promise<Reply<typeof endpoints.move>> => {
  const [from, to] = await lockRunning(scope, move);
  const now = await imagesOfSeries(scope, from.id, move.seriesUid);
  const copied = new Set(move.images.map(({ sopInstanceUID }) => sopInstanceUID));
  if (now.length !== copied.size || now.some(({ sopInstanceUID }) => !copied.has(sopInstanceUID))) throw changed();
  await endRejection(scope, to.id, move.copiesRejection);
  const { id: rejectionId } = await writeRejection(scope, {
    ...moveRejection,
    studyId: from.id,
    move: { id: move.id, isCopy: false },
    images: now.map(({ sopInstanceUID }) => ({ seriesInstanceUID: move.seriesUid, sopInstanceUID })),
  });
  await recountDose(scope, from.id, { canRise: false });
  await scope.db.updateTable('series_moves').set({ state: 'DONE' }).where('id', '=', move.id).execute();
  const images = now.length;
  await emit(scope, 'study.seriesMoved', { moveId: move.id, fromId: from.id, toId: to.id });
  await auditStudy(scope, 'study.moveSeries', from, { toStudyId: to.id, images, seriesInstanceUid: move.seriesUid });
  await auditStudy(scope, 'study.receiveSeries', to, { fromStudyId: from.id, images });
  await announceBoth(scope, from, to);
  return { studyId: to.id, rejectionId, images };
};

/**
 * Locks the move and its studies, which may have changed: if a user separated images from their order, the move was
 * given the new study. Throws 409 if the move is not running, or if the patient of the target is not the one that the
 * copies name.
 */
const lockRunning = async (scope: Scope, { id, toPatientId }: BegunMove): ReturnType<typeof lockBoth> => {
  const known = await moveById(scope, id, { lock: false });
  if (!known || known.to_study_id === null) throw changed();
  const [from, to] = await lockBoth(scope, known.from_study_id, known.to_study_id);
  const running = await moveById(scope, id, { lock: true });
  const isSame = running?.from_study_id === from.id && running.to_study_id === to.id;
  if (!isSame || running.state !== 'COPYING' || to.patient_id !== toPatientId) throw changed();
  if (from.patient_id !== to.patient_id) refuseWithoutRight(scope);
  return [from, to];
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

/**
 * The copies stay hidden. A study that was created for them goes to the recycle bin, unless users use it. Returns the answer
 * if the move has ended: only the connection was lost, after the database had stored it.
 */
const fail = async (
  scope: Scope,
  { id, toUid, isNewStudy }: BegunMove,
): Promise<Reply<typeof endpoints.move> | undefined> => {
  // Locks in the order of the other steps.
  await lockNames(scope.db, { names: [`${scope.session.tenantId} ${toUid}`] });
  const failed = await failMove(scope, id);
  if (failed) {
    if (isNewStudy && failed.to_study_id !== null) await binStudy(scope, failed.to_study_id);
    if (!isNewStudy) await restoreTarget(scope, id);
    return undefined;
  }
  const ended = await endedMove(scope, id);
  if (!ended || ended.to_study_id === null) return undefined;
  return { studyId: ended.to_study_id, rejectionId: ended.rejection_id, images: ended.images };
};
