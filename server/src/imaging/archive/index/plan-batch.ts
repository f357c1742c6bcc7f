import { t } from '@radwork/contract/core/translate';
import type { ContradictingPatients } from '@radwork/contract/core/patient-issuer';
import { newId } from '#core/values/ids.ts';
import { type FailureReason, failureReasons } from '#imaging/archive/store/failure-reasons.ts';
import { type Candidate, outOfSpace, type Refusal } from '#imaging/archive/store/ingest-file.ts';
import {
  type Contradiction,
  contradictionInStudy,
  describesAnotherPerson,
  filedUnder,
  type Filing,
  isNamedOtherwise,
  isOtherPatient,
  differsTwice,
  type KnownPatients,
  type KnownStudy,
  patientKey,
} from '#imaging/archive/patient-matching/match-patients.ts';
import type { PatientAttributes } from '#imaging/archive/header/study-attributes.ts';

/** `isRejected`: all instances of the series are rejected, so no reader sees it. */
export type KnownSeries = { id: string; studyId: string; modality: string; isHidden: boolean; isRejected: boolean };
export type KnownInstance = { sha256: string; isMissing: boolean; isHidden: boolean; isRejected: boolean };

/**
 * Existing rows for the UIDs of a batch, and the patients that its files name (by `patientKey`). `room`: bytes that the
 * tenant may still store.
 */
export type KnownRecords = {
  room: number;
  contradicting: ContradictingPatients;
  patients: KnownPatients;
  studies: Map<string, KnownStudy>;
  series: Map<string, KnownSeries>;
  instances: Map<string, KnownInstance>;
};

export type NewStudy = Filing & { id: string; studyInstanceUID: string; otherNames: readonly string[] };
export type NewSeries = { id: string; studyId: string; first: Candidate };
export type NewInstance = { id: string; studyId: string; seriesId: string; candidate: Candidate };

/** A file that is in the archive after the plan. `isNew` is false if the same file was stored before. */
export type Acceptance = { candidate: Candidate; studyId: string; isNew: boolean };

/** The files that a batch adds to one study: at least one instance. */
export type StudyAdditions = {
  studyId: string;
  patientRow: string | undefined;
  patient: PatientAttributes;
  /** Patient data in the files that have the Patient ID of the record. */
  patientData: PatientAttributes[];
  dated: KnownStudy['dated'];
  /** Files that name a merged record, or the patient from before the study was moved. */
  ofOtherRecord: readonly Candidate[];
  /** Patient data that contradict the record of the study and its other files. */
  contradiction: Contradiction | undefined;
  newSeries: number;
  instances: NewInstance[];
  /** Series whose new instances name other modalities than the series. */
  mixed: MixedSeries[];
};

/** A series with instances of several modalities, such as a report next to its images. */
export type MixedSeries = { seriesId: string; modality: string; others: NewInstance[] };

/** Rows to write for a batch, and the outcome of each file in order of arrival. */
export type Plan = {
  studies: NewStudy[];
  series: NewSeries[];
  instances: NewInstance[];
  additions: StudyAdditions[];
  /** Rejected series that receive a new instance. Readers see them again, with this instance only. */
  shownSeries: { id: string; studyId: string }[];
  /** SHA-256 of instances whose bytes were lost and are in this batch again. */
  recovered: string[];
  /** For each file that was refused because its study is in the recycle bin, the ID of that study. */
  deletedStudies: string[];
  outcomes: (Acceptance | Refusal)[];
};

/**
 * Source of the files: a device or a remote archive, by id, or an upload. Undefined for files that the server makes.
 */
export type FileSource = { kind: 'DEVICE' | 'REMOTE'; id: string } | { kind: 'UPLOAD' } | undefined;

export type Terms = {
  fileSource?: FileSource;
  /** For each file, the study to which it must belong, if its request names one. */
  onlyStudies: readonly (string | undefined)[];
  /** For each file, why its bytes could not be stored. Undefined when no error is known. */
  lost: readonly (Refusal | undefined)[];
};

/**
 * Decides about the files of a batch one by one. A decision takes earlier accepted files into account. Never mixes two
 * persons in a study, and never replaces a stored file.
 */
export const planBatch = (
  candidates: readonly Candidate[],
  inArchive: KnownRecords,
  { onlyStudies, lost }: Terms,
): Plan => {
  const plan: Plan = {
    studies: [],
    series: [],
    instances: [],
    additions: [],
    shownSeries: [],
    recovered: [],
    deletedStudies: [],
    outcomes: [],
  };
  const known: KnownRecords = {
    room: inArchive.room,
    contradicting: inArchive.contradicting,
    patients: new Map(inArchive.patients),
    studies: new Map(inArchive.studies),
    series: new Map(inArchive.series),
    instances: new Map(inArchive.instances),
  };
  for (const [index, candidate] of candidates.entries()) {
    const refusal = lost[index] ?? refusalOfOtherStudy(candidate, onlyStudies[index]) ?? refusalOf(candidate, known);
    plan.outcomes.push(refusal ?? accept(plan, known, candidate));
    const study = known.studies.get(candidate.studyInstanceUID);
    if (refusal && study?.isDeleted && !study.isHidden) plan.deletedStudies.push(study.id);
  }
  plan.shownSeries = [...known.series.values()].filter(
    ({ id, isRejected }) => isRejected && plan.instances.some(({ seriesId }) => seriesId === id),
  );
  plan.additions = additionsOf(plan, known);
  return plan;
};

const additionsOf = (
  { instances, series, shownSeries }: Plan,
  { studies, patients, ...known }: KnownRecords,
): StudyAdditions[] => {
  const modalityOf = new Map([...known.series.values()].map(({ id, modality }) => [id, modality]));
  const byId = new Map([...studies.values()].map((study) => [study.id, study]));
  return [...Map.groupBy(instances, ({ studyId }) => studyId)].flatMap(([studyId, ofStudy]) => {
    const study = byId.get(studyId);
    if (!study) return [];
    const { ofRecord = [], ofOther = [] } = Object.groupBy(
      ofStudy.map(({ candidate }) => candidate),
      (candidate) => (isOtherPatient(candidate, study) ? 'ofOther' : 'ofRecord'),
    );
    return {
      studyId,
      patientRow: study.patientRow,
      patient: study.patient,
      patientData: ofRecord.map(({ described }) => described.patient),
      dated: study.dated,
      ofOtherRecord: ofOther,
      contradiction: ofStudy.flatMap(({ candidate }) => contradictionInStudy(candidate, study, patients) ?? [])[0],
      newSeries: [...series, ...shownSeries].filter((one) => one.studyId === studyId).length,
      instances: ofStudy,
      mixed: mixedIn(ofStudy, modalityOf),
    };
  });
};

const mixedIn = (instances: readonly NewInstance[], modalityOf: ReadonlyMap<string, string>): MixedSeries[] =>
  [...Map.groupBy(instances, ({ seriesId }) => seriesId)].flatMap(([seriesId, ofSeries]) => {
    const modality = modalityOf.get(seriesId) ?? '';
    const others = ofSeries.filter(({ candidate }) => candidate.described.series.modality !== modality);
    return others.length > 0 ? [{ seriesId, modality, others }] : [];
  });

const accept = (plan: Plan, known: KnownRecords, candidate: Candidate): Acceptance => {
  const study = known.studies.get(candidate.studyInstanceUID) ?? addStudy(plan, known, candidate);
  const series = known.series.get(candidate.seriesInstanceUID) ?? addSeries(plan, known, candidate, study.id);
  const stored = known.instances.get(candidate.sopInstanceUID);
  if (!stored) {
    plan.instances.push({ id: newId(), studyId: study.id, seriesId: series.id, candidate });
    known.instances.set(candidate.sopInstanceUID, {
      sha256: candidate.sha256,
      isMissing: false,
      isHidden: false,
      isRejected: false,
    });
    known.room -= candidate.blob.size;
  }
  if (stored?.isMissing) plan.recovered.push(stored.sha256);
  return { candidate, studyId: study.id, isNew: !stored };
};

const addStudy = (plan: Plan, known: KnownRecords, { studyInstanceUID, described }: Candidate): KnownStudy => {
  const filed = filedUnder(described, known.patients);
  const study = { id: newId(), studyInstanceUID, otherNames: described.otherNames, ...filed };
  plan.studies.push(study);
  const key = patientKey(study.patient);
  const owner = filed.ownerOfId && { key: patientKey(filed.ownerOfId) };
  const { patient, otherNames: knownNames } = study;
  if (!known.patients.has(key)) known.patients.set(key, { ...patient, knownNames, provisionalFor: owner });
  const knownStudy = { id: study.id, patient, knownNames, dated: 'NO' as const, isDeleted: false, isHidden: false };
  known.studies.set(studyInstanceUID, knownStudy);
  return knownStudy;
};

const addSeries = (plan: Plan, known: KnownRecords, candidate: Candidate, studyId: string): KnownSeries => {
  const { modality } = candidate.described.series;
  const series = { id: newId(), studyId, first: candidate, modality, isHidden: false, isRejected: false };
  plan.series.push(series);
  known.series.set(candidate.seriesInstanceUID, series);
  return series;
};

const refusalOfOtherStudy = (candidate: Candidate, onlyStudy: string | undefined): Refusal | undefined =>
  onlyStudy === undefined || candidate.studyInstanceUID === onlyStudy
    ? undefined
    : refuse(candidate, t`Study UID does not match`, failureReasons.doesNotMatch);

const refusalOf = (candidate: Candidate, known: KnownRecords): Refusal | undefined => {
  const { patients, studies, series, instances } = known;
  const study = studies.get(candidate.studyInstanceUID);
  const stored = instances.get(candidate.sopInstanceUID);
  const ofSeries = series.get(candidate.seriesInstanceUID);
  // This check comes first, because every other refusal reveals something about stored data.
  if (study?.isHidden || ofSeries?.isHidden || stored?.isHidden) {
    return refuse(candidate, notYours(), failureReasons.notAuthorized);
  }
  if (study?.isDeleted) {
    return refuse(candidate, t`The study is in the recycle bin. Restore it before you add files.`);
  }
  if (stored?.isRejected) {
    const reason = t`This image was rejected. Restore it before you send it again.`;
    return refuse(candidate, reason, failureReasons.duplicateInstance);
  }
  // A file that is stored may be sent again, even if its study was corrected after the first upload.
  const isHere = stored?.sha256 === candidate.sha256;
  const reason = study ? !isHere && refusalByStudy(candidate, study, patients) : refusalById(candidate, known);
  if (reason) return refuse(candidate, reason, failureReasons.doesNotMatch);
  if (ofSeries && ofSeries.studyId !== study?.id) {
    return refuse(candidate, t`The series in the file belongs to another study.`, failureReasons.doesNotMatch);
  }
  if (stored && !isHere && stored.isMissing) {
    const reason = t`The stored file with this SOP Instance UID is lost, and this file differs from it. Send the identical file or restore it from a backup.`;
    return refuse(candidate, reason);
  }
  if (stored && !isHere) {
    const reason = t`A different file with this SOP Instance UID is already stored. It was not replaced.`;
    return refuse(candidate, reason, failureReasons.duplicateInstance);
  }
  if (!stored && candidate.blob.size > known.room) return { ...refuse(candidate, noRoom()), ...outOfSpace };
  return undefined;
};

const refusalById = ({ described }: Candidate, { patients, contradicting }: KnownRecords): string | undefined => {
  const { ownerOfId, contradiction } = filedUnder(described, patients);
  if (!ownerOfId || !contradiction || contradicting === 'KEEP') return undefined;
  if (differsTwice(described.patient, patients.get(patientKey(ownerOfId)), contradiction.fields)) {
    return t`A patient with this patient ID exists, with a different name and a different birth date or sex.`;
  }
  return contradicting === 'REFUSE'
    ? t`A patient with this patient ID exists, with a different name, birth date or sex.`
    : undefined;
};

const refusalByStudy = (candidate: Candidate, study: KnownStudy, patients: KnownPatients): string | undefined => {
  if (isOtherPatient(candidate, study) && !isNamedOtherwise(candidate, study, patients)) {
    return t`The patient in the file differs from the patient of the study.`;
  }
  return describesAnotherPerson(candidate, study, patients)
    ? t`The patient of the study has a different name and a different birth date or sex. If it is the same person, correct the patient record and send the file again.`
    : undefined;
};

/** This refusal reveals nothing about the study, which may be hidden from the uploader. */
export const notYours = () => t`You cannot add files to this study. Ask an administrator for access.`;

const noRoom = () => t`The storage of your organization is full.`;

/** Creates the refusal of a file whose header could be read. */
export const refuse = (
  { name, sopClassUID, sopInstanceUID }: Candidate,
  reason: string,
  failureReason: FailureReason = failureReasons.processingFailure,
): Refusal => ({ name, reason, failureReason, sopClassUID, sopInstanceUID });
