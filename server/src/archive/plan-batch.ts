import { createHash } from 'node:crypto';
import type { ContradictingPatients, IdentityField } from '@radwork/contract/identities';
import { displayName } from '@radwork/dicom/person-name';
import { identityContradictions } from '#core/identities.ts';
import { newId } from '#core/ids.ts';
import { type FailureReason, failureReasons } from './failure-reasons.ts';
import { type Candidate, outOfSpace, type Refusal } from './ingest.ts';
import type { DescribedFile, PatientAttributes } from './study-attributes.ts';

export type KnownStudy = {
  id: string;
  patient: PatientAttributes;
  /** The patient's row; of a new study it is not known yet. */
  patientRow?: string;
  /** The row that the files of the study name, where it is filed under another one. */
  namedPatientRow?: string | null;
  /** Whose it was before the record was corrected; asked for only where a file says otherwise than that. */
  saidBefore?: readonly Named[] | undefined;
  /** Birth and married names of the patient. */
  knownNames?: readonly string[];
  /** The row of the patient who has the ID, where the study is filed under one that was made for those who contradict. */
  provisionalFor?: string | null;
  isDated: boolean;
  isDeleted: boolean;
  /** The uploader may not know of it, and so adds nothing to it. */
  isHidden: boolean;
};
export type KnownSeries = { id: string; studyId: string; isHidden: boolean };
export type KnownInstance = { sha256: string; isMissing: boolean; isHidden: boolean };

/** How a file or a scanner calls a patient. */
export type Named = Pick<PatientAttributes, 'patient_id' | 'issuer' | 'patient_name'>;

type Person = Pick<PatientAttributes, 'patient_name' | 'date_of_birth' | 'gender'>;

/** A record with a patient ID. `survivor` is the one that it was merged into: what names the record is about that one. */
export type KnownPatient = Person &
  Pick<PatientAttributes, 'patient_id' | 'issuer'> & {
    row?: string;
    /** Birth and married names, and those of records that were merged into this one. */
    knownNames?: readonly string[];
    survivor?: (Person & { row: string; knownNames?: readonly string[] }) | undefined;
    /** The owner of the ID for which this record was made: by row, or within this batch by `patientKey`. */
    provisionalFor?: { row?: string | null; key?: string } | undefined;
    /** Whether an administrator has said that this record is of another person. */
    isAnotherPerson?: boolean;
  };

/**
 * What there is under the UIDs of a batch, the patients that its files name, by `patientKey`, and how many more bytes
 * the tenant may store.
 */
export type Known = {
  room: number;
  contradicting: ContradictingPatients;
  patients: Map<string, KnownPatient>;
  studies: Map<string, KnownStudy>;
  series: Map<string, KnownSeries>;
  instances: Map<string, KnownInstance>;
};

/** The patient as files name them, and the fields that contradict the owner of the ID. */
export type Contradiction = { said: Person; fields: IdentityField[] };

export type NewStudy = {
  id: string;
  studyInstanceUID: string;
  /** The patient whom it is filed under. */
  patient: PatientAttributes;
  otherNames: readonly string[];
  /** The record with the ID of the files, where the study is filed under another one because it contradicts that. */
  ownerOfId?: Pick<PatientAttributes, 'patient_id' | 'issuer'> | undefined;
  /** The question for an administrator. */
  contradiction?: Contradiction | undefined;
};
export type NewSeries = { id: string; studyId: string; first: Candidate };
export type NewInstance = { id: string; studyId: string; seriesId: string; candidate: Candidate };

/** A file that is in the archive once the plan is carried out; not new if the very same file was there before. */
export type Acceptance = { candidate: Candidate; studyId: string; isNew: boolean };

/** What a batch adds to one study: at least one instance. */
export type StudyAdditions = {
  studyId: string;
  patientRow: string | undefined;
  patient: PatientAttributes;
  /** What the files under the ID of the patient say of them. */
  said: PatientAttributes[];
  /** Whether its date is known. */
  isDated: boolean;
  /** Whether a file names a patient's record that was merged, or one that the study was moved from. */
  namesOtherRecord: boolean;
  /** The patient as files name them, against the study's record and its other files. */
  contradiction: Contradiction | undefined;
  newSeries: number;
  instances: NewInstance[];
};

/** What is to be written so that a batch is in the archive, and what becomes of each file, in the order they came. */
export type Plan = {
  studies: NewStudy[];
  series: NewSeries[];
  instances: NewInstance[];
  additions: StudyAdditions[];
  /** The SHA-256 of instances whose bytes had gone from the store, and come back by this batch. */
  found: string[];
  outcomes: (Acceptance | Refusal)[];
};

/** How files come in: by a device or from a remote archive, each by its id, or as an upload. Undefined for what we make ourselves. */
export type WayIn = { kind: 'DEVICE' | 'REMOTE'; id: string } | { kind: 'UPLOAD' } | undefined;

export type Terms = {
  way?: WayIn;
  /** The study that all files have to belong to, if one was named. */
  onlyStudy: string | undefined;
  /** Of each file, why its bytes could not be put on disk; undefined when nothing is known against it. */
  lost: readonly (Refusal | undefined)[];
};

/**
 * Decides about each file of a batch in turn; what is accepted is known to those after it. Nothing is put together
 * that could be of two people, and nothing that is stored is ever replaced.
 */
export const planBatch = (candidates: readonly Candidate[], inArchive: Known, { onlyStudy, lost }: Terms): Plan => {
  const plan: Plan = { studies: [], series: [], instances: [], additions: [], found: [], outcomes: [] };
  const known: Known = {
    room: inArchive.room,
    contradicting: inArchive.contradicting,
    patients: new Map(inArchive.patients),
    studies: new Map(inArchive.studies),
    series: new Map(inArchive.series),
    instances: new Map(inArchive.instances),
  };
  for (const [index, candidate] of candidates.entries()) {
    const refusal = lost[index] ?? refusalOfOtherStudy(candidate, onlyStudy) ?? refusalOf(candidate, known);
    plan.outcomes.push(refusal ?? accept(plan, known, candidate));
  }
  plan.additions = additionsOf(plan, known);
  return plan;
};

const additionsOf = ({ instances, series }: Plan, { studies, patients }: Known): StudyAdditions[] => {
  const byId = new Map([...studies.values()].map((study) => [study.id, study]));
  return [...Map.groupBy(instances, ({ studyId }) => studyId)].flatMap(([studyId, ofStudy]) => {
    const study = byId.get(studyId);
    if (!study) return [];
    const ofRecord = ofStudy.filter(({ candidate }) => !isOtherPatient(candidate, study));
    return {
      studyId,
      patientRow: study.patientRow,
      patient: study.patient,
      said: ofRecord.map(({ candidate }) => candidate.described.patient),
      isDated: study.isDated,
      namesOtherRecord: ofRecord.length < ofStudy.length,
      contradiction: ofStudy.flatMap(({ candidate }) => contradictionInStudy(candidate, study, patients) ?? [])[0],
      newSeries: series.filter((one) => one.studyId === studyId).length,
      instances: ofStudy,
    };
  });
};

const accept = (plan: Plan, known: Known, candidate: Candidate): Acceptance => {
  const study = known.studies.get(candidate.studyInstanceUID) ?? addStudy(plan, known, candidate);
  const series = known.series.get(candidate.seriesInstanceUID) ?? addSeries(plan, known, candidate, study.id);
  const stored = known.instances.get(candidate.sopInstanceUID);
  if (!stored) {
    plan.instances.push({ id: newId(), studyId: study.id, seriesId: series.id, candidate });
    known.instances.set(candidate.sopInstanceUID, { sha256: candidate.sha256, isMissing: false, isHidden: false });
    known.room -= candidate.blob.size;
  }
  if (stored?.isMissing) plan.found.push(stored.sha256);
  return { candidate, studyId: study.id, isNew: !stored };
};

const addStudy = (plan: Plan, known: Known, { studyInstanceUID, described }: Candidate): KnownStudy => {
  const filed = filedUnder(described, known.patients);
  const study = { id: newId(), studyInstanceUID, otherNames: described.otherNames, ...filed };
  plan.studies.push(study);
  const key = patientKey(study.patient);
  const owner = filed.ownerOfId && { key: patientKey(filed.ownerOfId) };
  const { patient, otherNames: knownNames } = study;
  if (!known.patients.has(key)) known.patients.set(key, { ...patient, knownNames, provisionalFor: owner });
  const knownStudy = { id: study.id, patient, knownNames, isDated: false, isDeleted: false, isHidden: false };
  known.studies.set(studyInstanceUID, knownStudy);
  return knownStudy;
};

const addSeries = (plan: Plan, known: Known, candidate: Candidate, studyId: string): KnownSeries => {
  const series = { id: newId(), studyId, first: candidate, isHidden: false };
  plan.series.push(series);
  known.series.set(candidate.seriesInstanceUID, series);
  return series;
};

const refusalOfOtherStudy = (candidate: Candidate, onlyStudy: string | undefined): Refusal | undefined =>
  onlyStudy === undefined || candidate.studyInstanceUID === onlyStudy
    ? undefined
    : refuse(candidate, 'Study UID does not match', failureReasons.doesNotMatch);

const refusalOf = (candidate: Candidate, known: Known): Refusal | undefined => {
  const { patients, studies, series, instances } = known;
  const study = studies.get(candidate.studyInstanceUID);
  const stored = instances.get(candidate.sopInstanceUID);
  const ofSeries = series.get(candidate.seriesInstanceUID);
  // Comes first: every other refusal says something about what is here.
  if (study?.isHidden || ofSeries?.isHidden || stored?.isHidden) {
    return refuse(candidate, notYours, failureReasons.notAuthorized);
  }
  if (study?.isDeleted) {
    return refuse(candidate, 'The study is in the recycle bin. Restore it before adding to it.');
  }
  // What is here already is nobody else's by being sent again, whatever was corrected since.
  const isHere = stored?.sha256 === candidate.sha256;
  const reason = study ? !isHere && refusalByStudy(candidate, study, patients) : refusalById(candidate, known);
  if (reason) return refuse(candidate, reason, failureReasons.doesNotMatch);
  if (ofSeries && ofSeries.studyId !== study?.id) {
    return refuse(candidate, 'The series of the file belongs to another study.', failureReasons.doesNotMatch);
  }
  if (stored && !isHere && stored.isMissing) {
    const reason =
      'The file stored under this SOP Instance UID is lost, and this is another one. Send the very same file, or have it restored from a backup.';
    return refuse(candidate, reason);
  }
  if (stored && !isHere) {
    const reason = 'Another file with the same SOP Instance UID is stored already and was kept.';
    return refuse(candidate, reason, failureReasons.duplicateInstance);
  }
  if (!stored && candidate.blob.size > known.room) return { ...refuse(candidate, noRoom), ...outOfSpace };
  return undefined;
};

const refusalById = ({ described }: Candidate, { patients, contradicting }: Known): string | undefined => {
  const { ownerOfId, contradiction } = filedUnder(described, patients);
  if (!ownerOfId || !contradiction || contradicting === 'KEEP') return undefined;
  if (isTwofold(described.patient, patients.get(patientKey(ownerOfId)), contradiction.fields)) {
    return 'Somebody of another name and date of birth or sex has the patient ID of the file here.';
  }
  return contradicting === 'REFUSE'
    ? 'A patient of another name, birth date or sex has the patient ID of the file here.'
    : undefined;
};

/** The name and something beside it. A person with the same birth date may have changed name and sex. */
const isTwofold = (patient: Person, known: Person | undefined, fields: readonly IdentityField[]): boolean =>
  fields.includes('NAME') && fields.includes(patient.date_of_birth && known?.date_of_birth ? 'BIRTH_DATE' : 'SEX');

/** The patient of a new study: the owner of its ID, unless the files contradict them. */
const filedUnder = (
  { patient, otherNames, hasPatientId }: DescribedFile,
  patients: Known['patients'],
): Pick<NewStudy, 'patient' | 'ownerOfId' | 'contradiction'> => {
  const owner = patients.get(patientKey(patient));
  const fields = contradictionsOfRecord(patient, owner, otherNames);
  if (!owner || fields.length === 0 || !hasPatientId) return { patient };
  const ownerOfId = { patient_id: owner.patient_id, issuer: owner.issuer };
  const contradiction = { said: patient, fields };
  const other = otherWithId(patient, owner, fields, patients);
  const issuer = other?.issuer ?? provisionalIssuer(patient, patients);
  const isDecided = other?.survivor !== undefined || other?.isAnotherPerson === true;
  return { patient: { ...patient, issuer }, ownerOfId, ...(!isDecided && { contradiction }) };
};

/** The fields in which a file contradicts a record; none where it agrees with the record that this one was merged into. */
export const contradictionsOfRecord = (
  patient: Person,
  known: KnownPatient | undefined,
  saidNames: readonly string[],
): IdentityField[] => {
  if (!known) return [];
  const fields = [known, ...(known.survivor ? [known.survivor] : [])].map((record) =>
    identityContradictions(patient, record, { saidNames, knownNames: record.knownNames ?? [] }),
  );
  return fields.some(({ length }) => length === 0) ? [] : (fields.at(-1) ?? []);
};

/** A record that was made for one who contradicts the owner of the ID, and says what this file says instead. */
const otherWithId = (
  patient: Person,
  owner: KnownPatient,
  fields: readonly IdentityField[],
  patients: Known['patients'],
): KnownPatient | undefined =>
  [...patients.values()].find(
    (one) =>
      isProvisionalFor(one, owner) &&
      fields.every((field) => says(one, field)) &&
      identityContradictions(patient, one, { knownNames: one.knownNames ?? [] }).length === 0,
  );

const isProvisionalFor = ({ provisionalFor }: KnownPatient, owner: KnownPatient): boolean => {
  if (!provisionalFor) return false;
  const { row, key } = provisionalFor;
  return row ? row === owner.row || row === owner.survivor?.row : key === patientKey(owner);
};

const says = ({ patient_name, gender, date_of_birth }: Person, field: IdentityField): boolean =>
  ({ NAME: patient_name !== '', SEX: 'FM'.includes(gender), BIRTH_DATE: date_of_birth !== null })[field];

/** The issuer of a provisional patient: the same for all who say the same under one ID, also in uploads at the same time. */
const provisionalIssuer = (patient: PatientAttributes, patients: Known['patients']): string => {
  const { patient_id, gender, date_of_birth } = patient;
  for (let attempt = 0; ; attempt += 1) {
    const said = JSON.stringify([patientKey(patient), comparableName(patient), gender, date_of_birth, attempt]);
    const issuer = `PROVISIONAL-${createHash('sha256').update(said).digest('hex').slice(0, 12).toUpperCase()}`;
    const there = patients.get(patientKey({ patient_id, issuer }));
    if (!there || identityContradictions(patient, there).length === 0) return issuer;
  }
};

/**
 * The patient as a file names them, where that contradicts the record of its study and all known names; undefined
 * where it says what the study's first image says, or the worklist: the record may have been corrected since.
 */
const contradictionInStudy = (
  { described: { patient, otherNames } }: Candidate,
  study: KnownStudy,
  patients: Known['patients'],
): Contradiction | undefined => {
  if (study.saidBefore?.some((one) => comparableName(one) === comparableName(patient))) return undefined;
  const records = [study, ...samePersonOf(study, patients)].map((one) =>
    'patient' in one ? { ...one.patient, ...one } : one,
  );
  const fields = records.map((record) =>
    identityContradictions(patient, record, { saidNames: otherNames, knownNames: record.knownNames ?? [] }),
  );
  const [first] = fields;
  return first && fields.every(({ length }) => length > 0) ? { said: patient, fields: first } : undefined;
};

const refusalByStudy = (candidate: Candidate, study: KnownStudy, patients: Known['patients']): string | undefined => {
  if (isOtherPatient(candidate, study) && !isNamedOtherwise(candidate, study, patients)) {
    return 'The study belongs to another patient than the file.';
  }
  return describesSomebodyElse(candidate, study, patients)
    ? 'The study is of somebody of another name and date of birth or sex. If it is one person, correct their record and send the file again.'
    : undefined;
};

/** Says nothing about the study, which the uploader may not know of. */
export const notYours = 'You cannot add files to this study. Ask an administrator for access.';

const noRoom = 'The storage of your organization is full.';

/** Whether a file contradicts the patient of its study. */
export const isOtherPatient = ({ described }: Candidate, { patient }: KnownStudy): boolean =>
  isContradicted(described, patient);

/**
 * One without a patient ID contradicts by another name only: the study's UID says enough for it to be there.
 */
const isContradicted = ({ hasPatientId, patient: named }: DescribedFile, patient: Named): boolean => {
  const { patient_id, issuer, patient_name } = named;
  if (!hasPatientId) return patient_name !== '' && patient_name !== patient.patient_name;
  const isOtherIssuer = issuer !== '' && patient.issuer !== '' && issuer !== patient.issuer;
  return patient_id !== patient.patient_id || isOtherIssuer;
};

/**
 * Whether a file names the patient of its study by another record: one that was merged into theirs, or the one that
 * the study came under before somebody moved it; or as its first image or the worklist did, before the patient's ID was
 * corrected.
 */
const isNamedOtherwise = ({ described }: Candidate, study: KnownStudy, patients: Known['patients']): boolean =>
  [...otherRecordsOf(study, patients), ...(study.saidBefore ?? [])].some(
    (known) => known.patient_id === described.patient.patient_id && !isContradicted(described, known),
  );

const otherRecordsOf = (study: KnownStudy, patients: Known['patients']): KnownPatient[] =>
  [...patients.values()].filter(
    ({ row, survivor }) =>
      row !== undefined &&
      (row === study.namedPatientRow ||
        row === study.provisionalFor ||
        (survivor && survivor.row === study.patientRow)),
  );

/** Other records of the patient of a study. The owner of a provisional patient's ID is another person. */
const samePersonOf = (study: KnownStudy, patients: Known['patients']): KnownPatient[] =>
  otherRecordsOf(study, patients).filter(({ row }) => row !== study.provisionalFor);

/** Whether a file says something else of its patient than their record, so that more has to be known. */
export const contradicts = (candidate: Candidate, study: KnownStudy): boolean =>
  isOtherPatient(candidate, study) ||
  areTwo(candidate.described.patient, study.patient) ||
  identityContradictions(candidate.described.patient, study.patient, {
    saidNames: candidate.described.otherNames,
    knownNames: study.knownNames ?? [],
  }).length > 0;

/**
 * Whether a file describes somebody whom nothing describes that is known of the patient of its study. The record may
 * have been corrected since the images began to come, which the device does not know of.
 */
const describesSomebodyElse = (
  { described: { patient } }: Candidate,
  study: KnownStudy,
  patients: Known['patients'],
): boolean => {
  if (study.patientRow === undefined) return isSomebodyElse(patient, patients.get(patientKey(study.patient)));
  // A first image without a name speaks for nobody.
  if (study.saidBefore?.some((one) => comparableName(one) === comparableName(patient))) return false;
  return [study.patient, ...samePersonOf(study, patients)].every((one) => areTwo(patient, one));
};

/** What makes two patients of a tenant one and the same record. */
export const patientKey = ({ patient_id, issuer }: Pick<PatientAttributes, 'patient_id' | 'issuer'>): string =>
  JSON.stringify([patient_id, issuer]);

/**
 * Whether a patient ID is used for two people: the name differs, and the birth date or the sex. A name alone may be
 * spelled anew or change, and a date be mistyped; with both, one of them would be shown under the other's name. Of a
 * record that was merged into another, a file may say what either does.
 */
export const isSomebodyElse = (patient: Person, known: KnownPatient | undefined): boolean =>
  known !== undefined && [known, ...(known.survivor ? [known.survivor] : [])].every((one) => areTwo(patient, one));

/** Whoever has the same birth date may have changed name and sex. */
const areTwo = (patient: Person, known: Person): boolean => {
  if (!differ(comparableName(patient), comparableName(known))) return false;
  const [birth, knownBirth] = [patient.date_of_birth, known.date_of_birth];
  return birth && knownBirth ? birth !== knownBirth : areOpposite(patient.gender, known.gender);
};

/** Case and empty components make nobody else of a name. */
const comparableName = ({ patient_name }: Pick<Person, 'patient_name'>): string =>
  displayName(patient_name.toLowerCase());

/** O and U are no statement of who somebody is not. */
const areOpposite = (one: string, other: string): boolean => ['FM', 'MF'].includes(one + other);

const differ = (one: string, other: string): boolean => one !== '' && other !== '' && one !== other;

/** A refusal of a file whose header could be read. */
export const refuse = (
  { name, sopClassUID, sopInstanceUID }: Candidate,
  reason: string,
  failureReason: FailureReason = failureReasons.processingFailure,
): Refusal => ({ name, reason, failureReason, sopClassUID, sopInstanceUID });
