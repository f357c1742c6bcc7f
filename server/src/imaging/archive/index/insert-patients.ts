import type { Selectable } from 'kysely';
import { newId } from '#core/values/ids.ts';
import type { Patients } from '#core/database/schema.ts';
import type { Scope } from '#core/access/scope.ts';
import { sortedByKey } from './sorted-by-key.ts';
import { ConcurrentWrite } from './concurrent-write.ts';
import { knownNamesSql } from '#imaging/archive/patient-matching/known-names.ts';
import { contradictionsOfRecord, patientKey } from '#imaging/archive/patient-matching/match-patients.ts';
import { type NewStudy } from './plan-batch.ts';

const columns = [
  'id',
  'patient_id',
  'issuer',
  'patient_name',
  'gender',
  'date_of_birth',
  'address',
  'phone_number',
  'merged_into',
] as const;

export type PatientRecord = Pick<Selectable<Patients>, (typeof columns)[number]>;

/**
 * The patient of a study. `named` is the record that the files name, if that record was merged into the patient.
 * `isNew`: this batch created the patient.
 */
export type FiledPatient = {
  patient: PatientRecord;
  named: string | null;
  /** Key of the patient who has the Patient ID in the files, if the study is filed under another patient. */
  ownerOfId?: string | undefined;
  isNew: boolean;
};

type Records = ReadonlyMap<string, KnownRecord>;
type KnownRecord = PatientRecord & { known_names: string[] };

/**
 * Creates the missing patients of new studies. Throws ConcurrentWrite when a record turns out to belong to another
 * person.
 */
export const insertPatients = async (
  { db }: Scope,
  studies: readonly NewStudy[],
): Promise<(study: NewStudy) => FiledPatient> => {
  const [own, provisional] = [studies.filter((study) => !study.ownerOfId), studies.filter((study) => study.ownerOfId)];
  const ownerKeys = provisional.flatMap(({ ownerOfId }) => ownerOfId ?? []);
  const inserted = await insertRecords({ db }, own);
  const records = await recordsOf({ db }, [...own.map(({ patient }) => patient), ...ownerKeys]);
  // A provisional patient refers to the patient who has the same Patient ID. The same upload may have created that
  // patient.
  const provisionals = await insertRecords({ db }, provisional, ({ ownerOfId }) => ownerOf(records, ownerOfId)?.id);
  const others = await recordsOf(
    { db },
    provisional.map(({ patient }) => patient),
  );
  const stored: Records = new Map([...records, ...others]);
  const survivors = await survivorsOf({ db }, [...stored.values()]);
  const news = new Set([...inserted, ...provisionals]);
  return (study) => {
    const record = stored.get(patientKey(study.patient));
    const survivor = record && survivors.get(record.merged_into ?? '');
    if (!record || isContradicted(study, record, survivor)) throw new ConcurrentWrite();
    const owner = ownerOf(stored, study.ownerOfId);
    const ownerOfId = owner && (owner.merged_into ?? owner.id);
    return survivor
      ? { patient: survivor, named: record.id, ownerOfId, isNew: false }
      : { patient: record, named: null, ownerOfId, isNew: news.has(record.id) };
  };
};

const ownerOf = (records: Records, owner: NewStudy['ownerOfId']): KnownRecord | undefined =>
  owner && records.get(patientKey(owner));

/** Checks contradictions again, because rows may have changed after the plan was made. */
const isContradicted = (
  { patient, otherNames }: NewStudy,
  record: KnownRecord,
  survivor: KnownRecord | undefined,
): boolean => {
  const known = { ...record, knownNames: record.known_names };
  const merged = survivor && { ...survivor, row: survivor.id, knownNames: survivor.known_names };
  return contradictionsOfRecord(patient, { ...known, survivor: merged }, otherNames).length > 0;
};

/** Returns the ids of the inserted patients. */
const insertRecords = async (
  { db }: Pick<Scope, 'db'>,
  studies: readonly NewStudy[],
  provisionalFor: (study: NewStudy) => string | undefined = () => undefined,
): Promise<string[]> => {
  if (studies.length === 0) return [];
  // If several files name a patient, the first file counts, as in the plan.
  const byKey = new Map(studies.toReversed().map((study) => [patientKey(study.patient), study]));
  const inserted = await db
    .insertInto('patients')
    .values(
      sortedByKey([...byKey.values()], ({ patient }) => patientKey(patient)).map((study) => ({
        id: newId(),
        ...study.patient,
        known_names: [...study.otherNames],
        provisional_for: provisionalFor(study) ?? null,
      })),
    )
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .execute();
  return inserted.map(({ id }) => id);
};

/**
 * Reads patient records with a shared lock. If a patient is renamed at the same time, the new study must not get the
 * old name.
 */
const recordsOf = async (
  { db }: Pick<Scope, 'db'>,
  keys: readonly Pick<PatientRecord, 'patient_id' | 'issuer'>[],
): Promise<Records> => {
  if (keys.length === 0) return new Map();
  const distinct = [...new Map(keys.map((key) => [patientKey(key), key])).values()];
  const records = await db
    .selectFrom('patients')
    .select(columns)
    .select(knownNamesSql('patients').as('known_names'))
    .where((eb) => eb.or(distinct.map(({ patient_id, issuer }) => eb.and({ patient_id, issuer }))))
    .orderBy('id')
    .forShare('patients')
    .execute();
  return new Map(records.map((record) => [patientKey(record), record]));
};

/** Returns the patients into whom records were merged. Usually there are no merged records, and then no query runs. */
const survivorsOf = async (
  { db }: Pick<Scope, 'db'>,
  records: readonly PatientRecord[],
): Promise<Map<string, KnownRecord>> => {
  const ids = [...new Set(records.flatMap(({ merged_into }) => merged_into ?? []))];
  if (ids.length === 0) return new Map();
  const rows = await db
    .selectFrom('patients')
    .select(columns)
    .select(knownNamesSql('patients').as('known_names'))
    .where('id', 'in', ids)
    .orderBy('id')
    .forShare('patients')
    .execute();
  return new Map(rows.map((row) => [row.id, row]));
};
