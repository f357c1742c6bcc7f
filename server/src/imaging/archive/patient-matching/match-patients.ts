import { createHash } from 'node:crypto';
import type { IdentityField } from '@radwork/contract/imaging/identities';
import { displayName } from '@radwork/dicom/person-name';
import { identityContradictions } from './identity-contradictions.ts';
import type { Candidate } from '#imaging/archive/store/ingest-file.ts';
import type { DescribedFile, PatientAttributes } from '#imaging/archive/header/study-attributes.ts';

/* Decides to which patient a file belongs, from its patient data and the known records. Uses no database. */

export type KnownStudy = {
  id: string;
  patient: PatientAttributes;
  /** Row id of the patient. Undefined for a new study. */
  patientRow?: string;
  /** Row id of the record that the files of the study name, if the study is filed under another record. */
  namedPatientRow?: string | null;
  /** Patient data from before the record was corrected. Read only when a file contradicts the record. */
  earlierPatientData?: readonly StatedIdentity[] | undefined;
  /** Birth and married names of the patient. */
  knownNames?: readonly string[];
  /** Row id of the patient who has the Patient ID, if the study is filed under a provisional patient. */
  provisionalFor?: string | null;
  /** Whether a date is known, and with it the time. */
  dated: 'NO' | 'DAY' | 'MOMENT';
  isDeleted: boolean;
  /** True when the study is hidden from the uploader, who therefore cannot add files. */
  isHidden: boolean;
};

/** Patient identity as a file or a scanner states it. */
export type StatedIdentity = Pick<PatientAttributes, 'patient_id' | 'issuer' | 'patient_name'>;

export type Person = Pick<PatientAttributes, 'patient_name' | 'date_of_birth' | 'gender'>;

/**
 * A record with a Patient ID. `survivor` is the record into which it was merged. Files that name this record then mean
 * the survivor.
 */
export type KnownPatient = Person &
  Pick<PatientAttributes, 'patient_id' | 'issuer'> & {
    row?: string;
    /** Birth and married names, and names of the records merged into this record. */
    knownNames?: readonly string[];
    survivor?: (Person & { row: string; knownNames?: readonly string[] }) | undefined;
    /**
     * For a provisional record: the patient who has the same Patient ID, by row id, or by `patientKey` within this
     * batch.
     */
    provisionalFor?: { row?: string | null; key?: string } | undefined;
    /** True when an administrator has decided that this record is of another person. */
    isAnotherPerson?: boolean;
  };

/** Patient data in files, and the fields in which they contradict the patient who has the same Patient ID. */
export type Contradiction = { patientData: Person; fields: IdentityField[] };

/** The patient of a new study, and what an administrator must decide about this patient. */
export type Filing = {
  patient: PatientAttributes;
  /**
   * The record with the Patient ID in the files, if the study contradicts this record and is filed under another
   * record.
   */
  ownerOfId?: Pick<PatientAttributes, 'patient_id' | 'issuer'> | undefined;
  /** The question for an administrator. */
  contradiction?: Contradiction | undefined;
};

/** Records with the Patient IDs of a batch, by `patientKey`. */
export type KnownPatients = Map<string, KnownPatient>;

/**
 * Returns whether the name and a second field differ: the birth date, or the sex when a birth date is missing. One
 * person may change both name and sex.
 */
export const differsTwice = (patient: Person, known: Person | undefined, fields: readonly IdentityField[]): boolean =>
  fields.includes('NAME') && fields.includes(patient.date_of_birth && known?.date_of_birth ? 'BIRTH_DATE' : 'SEX');

/**
 * Returns the patient of a new study: the record with the study's Patient ID, unless the files contradict that record.
 */
export const filedUnder = ({ patient, otherNames, hasPatientId }: DescribedFile, patients: KnownPatients): Filing => {
  const owner = patients.get(patientKey(patient));
  const fields = contradictionsOfRecord(patient, owner, otherNames);
  if (!owner || fields.length === 0 || !hasPatientId) return { patient };
  const ownerOfId = { patient_id: owner.patient_id, issuer: owner.issuer };
  const contradiction = { patientData: patient, fields };
  const other = otherWithId(patient, owner, fields, patients);
  const issuer = other?.issuer ?? provisionalIssuer(patient, patients);
  const isDecided = other?.survivor !== undefined || other?.isAnotherPerson === true;
  return { patient: { ...patient, issuer }, ownerOfId, ...(!isDecided && { contradiction }) };
};

/** Returns the fields in which a file contradicts a record. Empty when the file matches the record or its survivor. */
export const contradictionsOfRecord = (
  patient: Person,
  known: KnownPatient | undefined,
  namesInFile: readonly string[],
): IdentityField[] => {
  if (!known) return [];
  const fields = [known, ...(known.survivor ? [known.survivor] : [])].map((record) =>
    identityContradictions(patient, record, { namesInFile, knownNames: record.knownNames ?? [] }),
  );
  return fields.some(({ length }) => length === 0) ? [] : (fields.at(-1) ?? []);
};

/**
 * Finds a provisional record with the same patient data as this file. The file contradicts `owner`, the patient who has
 * the Patient ID.
 */
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

/**
 * Returns the issuer of a provisional patient. Equal data under one ID give the same issuer, even in parallel uploads.
 */
const provisionalIssuer = (patient: PatientAttributes, patients: KnownPatients): string => {
  const { patient_id, gender, date_of_birth } = patient;
  for (let attempt = 0; ; attempt += 1) {
    const identity = JSON.stringify([patientKey(patient), comparableName(patient), gender, date_of_birth, attempt]);
    const issuer = `PROVISIONAL-${createHash('sha256').update(identity).digest('hex').slice(0, 12).toUpperCase()}`;
    const known = patients.get(patientKey({ patient_id, issuer }));
    if (!known || identityContradictions(patient, known).length === 0) return issuer;
  }
};

/**
 * Returns the patient data of a file if they contradict the record of the study and all known names. Undefined when
 * they match the first image of the study or the worklist, because the record may have been corrected later.
 */
export const contradictionInStudy = (
  { described: { patient, otherNames } }: Candidate,
  study: KnownStudy,
  patients: KnownPatients,
): Contradiction | undefined => {
  if (study.earlierPatientData?.some((identity) => comparableName(identity) === comparableName(patient)))
    return undefined;
  const records = [study, ...samePersonOf(study, patients)].map((one) =>
    'patient' in one ? { ...one.patient, ...one } : one,
  );
  const fields = records.map((record) =>
    identityContradictions(patient, record, { namesInFile: otherNames, knownNames: record.knownNames ?? [] }),
  );
  const [first] = fields;
  return first && fields.every(({ length }) => length > 0) ? { patientData: patient, fields: first } : undefined;
};

/** Returns whether a file contradicts the patient of its study. */
export const isOtherPatient = ({ described }: Candidate, { patient }: KnownStudy): boolean =>
  isContradicted(described, patient);

/**
 * Returns whether a file contradicts a record. A file without a Patient ID contradicts only by a different name,
 * because its study UID is enough to file it.
 */
const isContradicted = ({ hasPatientId, patient: stated }: DescribedFile, patient: StatedIdentity): boolean => {
  const { patient_id, issuer, patient_name } = stated;
  if (!hasPatientId) return patient_name !== '' && patient_name !== patient.patient_name;
  const isOtherIssuer = issuer !== '' && patient.issuer !== '' && issuer !== patient.issuer;
  return patient_id !== patient.patient_id || isOtherIssuer;
};

/**
 * Returns whether a file carries an earlier identification of the study's patient: that of a merged record, or of the
 * patient from whom the study was moved. Also true if it carries the data of the first image or of the worklist, which
 * were corrected later.
 */
export const isNamedOtherwise = ({ described }: Candidate, study: KnownStudy, patients: KnownPatients): boolean =>
  [...otherRecordsOf(study, patients), ...(study.earlierPatientData ?? [])].some(
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

/**
 * Returns the other records of the study's patient. Leaves out the patient who has the same Patient ID as a provisional
 * patient, because this is another person.
 */
const samePersonOf = (study: KnownStudy, patients: KnownPatients): KnownPatient[] =>
  otherRecordsOf(study, patients).filter(({ row }) => row !== study.provisionalFor);

/** Returns whether patient data of a file contradict the record, so that more records must be read. */
export const contradicts = (candidate: Candidate, study: KnownStudy): boolean =>
  isOtherPatient(candidate, study) ||
  areTwo(candidate.described.patient, study.patient) ||
  identityContradictions(candidate.described.patient, study.patient, {
    namesInFile: candidate.described.otherNames,
    knownNames: study.knownNames ?? [],
  }).length > 0;

/**
 * Returns whether a file contradicts all known data of the study's patient. A device may send data from before the
 * record was corrected.
 */
export const describesAnotherPerson = (
  { described: { patient } }: Candidate,
  study: KnownStudy,
  patients: KnownPatients,
): boolean => {
  if (study.patientRow === undefined) return isAnotherPatient(patient, patients.get(patientKey(study.patient)));
  // A first image without a name matches no name.
  if (study.earlierPatientData?.some((identity) => comparableName(identity) === comparableName(patient))) return false;
  return [study.patient, ...samePersonOf(study, patients)].every((one) => areTwo(patient, one));
};

/** Returns the key of a patient record within its tenant. */
export const patientKey = ({ patient_id, issuer }: Pick<PatientAttributes, 'patient_id' | 'issuer'>): string =>
  JSON.stringify([patient_id, issuer]);

/**
 * Returns whether two persons use one Patient ID: the name differs, and also the birth date or sex. A name alone may
 * change, and a date may be mistyped. When name and date both differ, images would appear under another person's name.
 * If the record was merged, a file may match either record.
 */
export const isAnotherPatient = (patient: Person, known: KnownPatient | undefined): boolean =>
  known !== undefined && [known, ...(known.survivor ? [known.survivor] : [])].every((one) => areTwo(patient, one));

/** When the birth date is the same, the person may have changed name and sex. */
const areTwo = (patient: Person, known: Person): boolean => {
  if (!differ(comparableName(patient), comparableName(known))) return false;
  const [birth, knownBirth] = [patient.date_of_birth, known.date_of_birth];
  return birth && knownBirth ? birth !== knownBirth : areOpposite(patient.gender, known.gender);
};

/** Differences in case, or by empty components, do not count. */
const comparableName = ({ patient_name }: Pick<Person, 'patient_name'>): string =>
  displayName(patient_name.toLowerCase());

/** The values O and U contradict no other sex. */
const areOpposite = (one: string, other: string): boolean => ['FM', 'MF'].includes(one + other);

const differ = (one: string, other: string): boolean => one !== '' && other !== '' && one !== other;
