import { createHash } from 'node:crypto';
import type { IdentityField } from '@radwork/contract/identities';
import { displayName } from '@radwork/dicom/person-name';
import { identityContradictions } from '#core/identities.ts';
import type { Candidate } from './ingest.ts';
import type { DescribedFile, PatientAttributes } from './study-attributes.ts';

/** Whose images files are, by what they say and what is known: no database, no writing. */

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

/** How a file or a scanner calls a patient. */
export type Named = Pick<PatientAttributes, 'patient_id' | 'issuer' | 'patient_name'>;

export type Person = Pick<PatientAttributes, 'patient_name' | 'date_of_birth' | 'gender'>;

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

/** The patient as files name them, and the fields that contradict the owner of the ID. */
export type Contradiction = { said: Person; fields: IdentityField[] };

/** The patient under whom a new study is filed. */
export type Filing = {
  patient: PatientAttributes;
  /** The record with the ID of the files, where the study is filed under another one because it contradicts that. */
  ownerOfId?: Pick<PatientAttributes, 'patient_id' | 'issuer'> | undefined;
  /** The question for an administrator. */
  contradiction?: Contradiction | undefined;
};

/** Records that have the patient IDs of a batch, by `patientKey`. */
export type KnownPatients = Map<string, KnownPatient>;

/** The name and something beside it. A person with the same birth date may have changed name and sex. */
export const isTwofold = (patient: Person, known: Person | undefined, fields: readonly IdentityField[]): boolean =>
  fields.includes('NAME') && fields.includes(patient.date_of_birth && known?.date_of_birth ? 'BIRTH_DATE' : 'SEX');

/** The patient of a new study: the owner of its ID, unless the files contradict them. */
export const filedUnder = ({ patient, otherNames, hasPatientId }: DescribedFile, patients: KnownPatients): Filing => {
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
  patients: KnownPatients,
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
const provisionalIssuer = (patient: PatientAttributes, patients: KnownPatients): string => {
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
export const contradictionInStudy = (
  { described: { patient, otherNames } }: Candidate,
  study: KnownStudy,
  patients: KnownPatients,
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
export const isNamedOtherwise = ({ described }: Candidate, study: KnownStudy, patients: KnownPatients): boolean =>
  [...otherRecordsOf(study, patients), ...(study.saidBefore ?? [])].some(
    (known) => known.patient_id === described.patient.patient_id && !isContradicted(described, known),
  );

const otherRecordsOf = (study: KnownStudy, patients: KnownPatients): KnownPatient[] =>
  [...patients.values()].filter(
    ({ row, survivor }) =>
      row !== undefined &&
      (row === study.namedPatientRow ||
        row === study.provisionalFor ||
        (survivor && survivor.row === study.patientRow)),
  );

/** Other records of the patient of a study. The owner of a provisional patient's ID is another person. */
const samePersonOf = (study: KnownStudy, patients: KnownPatients): KnownPatient[] =>
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
export const describesSomebodyElse = (
  { described: { patient } }: Candidate,
  study: KnownStudy,
  patients: KnownPatients,
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
