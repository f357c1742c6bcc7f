import { t } from '@lingui/core/macro';
import { csvOf } from '@radwork/contract/core/csv';
import type { Change, Pseudonym } from '@radwork/dicom/deidentify';
import type { Patient } from '#imaging/upload/lists/study-groups.ts';

/** Changes made to the files of one kind (one modality). */
export type KindOfChanges = { kind: string; files: number; changes: readonly Change[] };

export type DeidentificationState = {
  isOn: boolean;
  /** New name and ID of each patient, by patient key. */
  pseudonyms: ReadonlyMap<string, Pseudonym>;
  /** Whether the list of names was saved with the current names. */
  areNamesSaved: boolean;
};

/** Alphabet without characters that are easily confused when read aloud or copied by hand. */
const alphabet = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789';

/** Returns a new name and ID, such as "ANON-7K2MQX". Its 30 random bits make equal names in other uploads unlikely. */
export const newPseudonym = (): Pseudonym => {
  const characters = Array.from(crypto.getRandomValues(new Uint8Array(6)), (byte) => alphabet.charAt(byte % 32));
  const name = `ANON-${characters.join('')}`;
  return { patientName: name, patientId: name };
};

/** Returns why a new name or ID is not allowed. Returns undefined if every DICOM character set can encode the text. */
export const pseudonymProblem = (text: string): string | undefined => {
  if (text.trim() === '') return t`Required`;
  if (text.length > 64) return t`64 characters at most`;
  return /^[A-Za-z0-9][A-Za-z0-9 ^._-]*$/.test(text) ? undefined : t`Only letters A to Z, digits, space, ^ . _ -`;
};

type Pseudonyms = DeidentificationState['pseudonyms'];

/** Returns the new ID without trailing spaces, which have no meaning (PS3.5 §6.2). */
const newIdOf = ({ patientKey }: Patient, pseudonyms: Pseudonyms) => pseudonyms.get(patientKey)?.patientId.trim() ?? '';

/** Returns the patients who have the same new ID as another patient. The archive would treat them as one patient. */
export const patientsOfSharedIds = (patients: readonly Patient[], pseudonyms: Pseudonyms): ReadonlySet<Patient> => {
  const byId = Map.groupBy(patients, (patient) => newIdOf(patient, pseudonyms));
  return new Set([...byId.values()].filter(({ length }) => length > 1).flat());
};

/** Returns the patients whose new name or ID must be changed. */
export const unfitPatients = (patients: readonly Patient[], pseudonyms: Pseudonyms): Patient[] => {
  const shared = patientsOfSharedIds(patients, pseudonyms);
  return patients.filter((patient) => {
    const { patientName = '', patientId = '' } = pseudonyms.get(patient.patientKey) ?? {};
    return shared.has(patient) || pseudonymProblem(patientName) || pseudonymProblem(patientId);
  });
};

/**
 * Returns the list of names as CSV. It is the only link from new to old names, and only the user who de-identifies gets
 * it.
 */
export const mappingCsv = (patients: readonly Patient[], pseudonyms: Pseudonyms): string =>
  csvOf([
    ['Patient Name', 'Patient ID', 'Study UID', 'New Name', 'New ID'],
    ...patients.map(({ patientKey, patientName, patientID, study }) => {
      const { patientName: newName = '', patientId: newId = '' } = pseudonyms.get(patientKey) ?? {};
      return [patientName, patientID, study?.studyInstanceUID ?? '', newName, newId];
    }),
  ]);

/** Returns the changes as CSV, without the old values. */
export const changesCsv = (kinds: readonly KindOfChanges[]): string =>
  csvOf([
    ['Kind of file', 'Attribute', 'Change', 'Count'],
    ...kinds.flatMap(({ kind, changes }) =>
      changes.map(({ attribute, kind: how, count }) => [kind, attribute, how, count]),
    ),
  ]);

/** Adds the changes of one file to the sums by kind. */
export const withChanges = (
  kinds: readonly KindOfChanges[],
  kind: string,
  changes: readonly Change[],
): KindOfChanges[] => {
  const before = kinds.find((one) => one.kind === kind) ?? { kind, files: 0, changes: [] };
  const counts = new Map(before.changes.map((change) => [`${change.attribute} ${change.kind}`, change]));
  for (const change of changes) {
    const key = `${change.attribute} ${change.kind}`;
    counts.set(key, { ...change, count: change.count + (counts.get(key)?.count ?? 0) });
  }
  const after = { kind, files: before.files + 1, changes: [...counts.values()] };
  return kinds.includes(before) ? kinds.map((one) => (one === before ? after : one)) : [...kinds, after];
};
