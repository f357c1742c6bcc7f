import { csvOf } from '@radwork/contract/csv';
import type { Change, Pseudonym } from '@radwork/dicom/deidentify';
import type { Patient } from './study-groups.ts';

/** What is done to the files of one kind, a modality. */
export type KindOfChanges = { kind: string; files: number; changes: readonly Change[] };

export type DeidentificationState = {
  isOn: boolean;
  /** Who each patient becomes, by patient key. */
  pseudonyms: ReadonlyMap<string, Pseudonym>;
  /** Whether the list of them was saved as they are now. */
  areNamesSaved: boolean;
};

/** Without what is easily mistaken for something else when read aloud or copied by hand. */
const alphabet = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789';

/** A new name and ID: "ANON-7K2MQX". 30 random bits: the next upload will not hit the same. */
export const newPseudonym = (): Pseudonym => {
  const characters = Array.from(crypto.getRandomValues(new Uint8Array(6)), (byte) => alphabet.charAt(byte % 32));
  const name = `ANON-${characters.join('')}`;
  return { patientName: name, patientId: name };
};

/** What is wrong with a new name or ID; undefined when it can be written in every character set of DICOM. */
export const pseudonymProblem = (text: string): string | undefined => {
  if (text.trim() === '') return 'Required';
  if (text.length > 64) return '64 characters at most';
  return /^[A-Za-z0-9][A-Za-z0-9 ^._-]*$/.test(text) ? undefined : 'Letters A to Z, digits, space, ^ . _ - only';
};

type Pseudonyms = DeidentificationState['pseudonyms'];

/** Space at the end of an ID means nothing (PS3.5 §6.2), so it tells nobody apart. */
const newIdOf = ({ patientKey }: Patient, pseudonyms: Pseudonyms) => pseudonyms.get(patientKey)?.patientId.trim() ?? '';

/** The patients whose new ID another one has as well: two patients under one ID would become one. */
export const patientsOfSharedIds = (patients: readonly Patient[], pseudonyms: Pseudonyms): ReadonlySet<Patient> => {
  const byId = Map.groupBy(patients, (patient) => newIdOf(patient, pseudonyms));
  return new Set([...byId.values()].filter(({ length }) => length > 1).flat());
};

/** The patients that need another new name or ID. */
export const unfitPatients = (patients: readonly Patient[], pseudonyms: Pseudonyms): Patient[] => {
  const shared = patientsOfSharedIds(patients, pseudonyms);
  return patients.filter((patient) => {
    const { patientName = '', patientId = '' } = pseudonyms.get(patient.patientKey) ?? {};
    return shared.has(patient) || pseudonymProblem(patientName) || pseudonymProblem(patientId);
  });
};

/** Who became whom: the one list that leads back, for whoever de-identifies and for nobody else. */
export const mappingCsv = (patients: readonly Patient[], pseudonyms: Pseudonyms): string =>
  csvOf([
    ['Patient Name', 'Patient ID', 'Study UID', 'New Name', 'New ID'],
    ...patients.map(({ patientKey, patientName, patientID, study }) => {
      const { patientName: newName = '', patientId: newId = '' } = pseudonyms.get(patientKey) ?? {};
      return [patientName, patientID, study?.studyInstanceUID ?? '', newName, newId];
    }),
  ]);

/** What was changed, without a word of what was there before. */
export const changesCsv = (kinds: readonly KindOfChanges[]): string =>
  csvOf([
    ['Kind of file', 'Attribute', 'Change', 'Count'],
    ...kinds.flatMap(({ kind, changes }) =>
      changes.map(({ attribute, kind: how, count }) => [kind, attribute, how, count]),
    ),
  ]);

/** Adds what was done to one more file to the sums by kind. */
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
