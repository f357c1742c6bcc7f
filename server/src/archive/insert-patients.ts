import type { Selectable } from 'kysely';
import { newId } from '#core/ids.ts';
import type { Patients } from '#core/schema.ts';
import type { Scope } from '#core/scope.ts';
import { inOrder } from './in-order.ts';
import { Overtaken } from './overtaken.ts';
import { isSomebodyElse, type NewStudy, patientKey } from './plan-batch.ts';

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
 * Whom a study is filed under; `named` is the record that its files name, where that one was merged into the patient.
 * `isNew` says that the patient has been on record only since this batch.
 */
export type Filing = { patient: PatientRecord; named: string | null; isNew: boolean };

/** Makes the patients of new studies, unless they are there. Throws Overtaken when one turns out to be somebody else. */
export const insertPatients = async (
  { db }: Scope,
  studies: readonly NewStudy[],
): Promise<(study: NewStudy) => Filing> => {
  // The first file speaks for a patient, as it does in the plan.
  const byKey = new Map(studies.toReversed().map(({ patient }) => [patientKey(patient), patient]));
  const patients = inOrder([...byKey.values()], patientKey);
  const inserted = await db
    .insertInto('patients')
    .values(patients.map((patient) => ({ id: newId(), ...patient })))
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .execute();
  const news = new Set(inserted.map(({ id }) => id));
  // Shared: a patient who is renamed meanwhile must not leave the old name on a study that nobody has seen yet.
  const records = await db
    .selectFrom('patients')
    .select(columns)
    .where((eb) => eb.or(patients.map(({ patient_id, issuer }) => eb.and({ patient_id, issuer }))))
    .orderBy('id')
    .forShare()
    .execute();
  const survivors = await survivorsOf({ db }, records);
  const stored = new Map(records.map((record) => [patientKey(record), record]));
  return ({ patient }) => {
    const record = stored.get(patientKey(patient));
    const survivor = record && survivors.get(record.merged_into ?? '');
    const known = record && { ...record, ...(survivor && { survivor: { ...survivor, row: survivor.id } }) };
    if (!record || isSomebodyElse(patient, known)) throw new Overtaken();
    return survivor
      ? { patient: survivor, named: record.id, isNew: false }
      : { patient: record, named: null, isNew: news.has(record.id) };
  };
};

/** The patients whom merged records point to; mostly there are none, and nothing is asked. */
const survivorsOf = async (
  { db }: Pick<Scope, 'db'>,
  records: readonly PatientRecord[],
): Promise<Map<string, PatientRecord>> => {
  const ids = [...new Set(records.flatMap(({ merged_into }) => merged_into ?? []))];
  if (ids.length === 0) return new Map();
  const rows = await db
    .selectFrom('patients')
    .select(columns)
    .where('id', 'in', ids)
    .orderBy('id')
    .forShare()
    .execute();
  return new Map(rows.map((row) => [row.id, row]));
};
