import { sql } from 'kysely';
import { newId } from '#core/ids.ts';
import { conflict } from '#core/problem.ts';
import type { Scope } from '#core/scope.ts';
import { lockRecords } from './lock-patients.ts';
import { idTaken, recordWithId } from './patient-changes.ts';
import type { StoredPatient } from './patient-rows.ts';

/** The patients who had an ID once and are known by another one now: scanners, letters and discs go on naming it. */
export const patientsOnceKnownAs = async ({ db }: Scope, patientId: string): Promise<string[]> => {
  if (patientId === '') return [];
  const records = await db
    .selectFrom('patients')
    .select('merged_into')
    .distinct()
    .where('patient_id', '=', patientId)
    .where('merged_into', 'is not', null)
    .execute();
  return records.flatMap(({ merged_into }) => merged_into ?? []);
};

type Identity = Pick<StoredPatient, 'patient_id' | 'issuer'>;

/**
 * Makes an ID free for a patient who gets it. One that the patient had before is taken back; another's is refused with
 * a 409, and so is that of a record that was merged into this one, or that such a record had before: it would need it
 * when the merge is undone.
 */
export const freeIdFor = async (scope: Scope, patientId: string, identity: Identity): Promise<void> => {
  const holder = await recordWithId(scope, identity);
  if (!holder || holder.id === patientId) return;
  if (holder.merged_into !== patientId || (await isPartOfMerge(scope, holder.id))) throw idTaken(holder);
  await removeRecord(scope, holder.id);
};

/** An upload under its ID holds the record and asks for the patient next, who is held by the caller already. */
const removeRecord = async (scope: Scope, recordId: string) => {
  await lockRecords(scope, [recordId]);
  await scope.db
    .updateTable('studies')
    .set({ named_patient_id: null })
    .where('named_patient_id', '=', recordId)
    .execute();
  await scope.db.deleteFrom('patients').where('id', '=', recordId).execute();
};

/**
 * Takes a former ID from a patient whose it never was: somebody else can have it. Throws a 409 where it is none of theirs,
 * and for that of a record that was merged into this one, which needs it when the merge is undone.
 */
export const removeFormerId = async (scope: Scope, patientId: string, identity: Identity): Promise<void> => {
  const holder = await recordWithId(scope, identity);
  if (!holder || holder.merged_into !== patientId) {
    throw conflict('patient.no_former_id', 'This is no former ID of the patient any more. Look at the patient again.');
  }
  if (await isPartOfMerge(scope, holder.id)) {
    throw conflict(
      'patient.id_of_merge',
      'This is the ID of a record that was merged into this one. Undo the merge to give it back.',
    );
  }
  await removeRecord(scope, holder.id);
};

/** Whether a record ever was a side of a merge or a move, or came along as an ID of the past with one that stands. */
export const isPartOfMerge = async ({ db }: Scope, patientId: string): Promise<boolean> => {
  const merge = await db
    .selectFrom('patient_merges')
    .select('id')
    .where((eb) =>
      eb.or([
        eb('survivor_id', '=', patientId),
        eb('source_id', '=', patientId),
        sql<boolean>`${patientId} = any(identifier_ids) and undone_at is null`,
      ]),
    )
    .executeTakeFirst();
  return merge !== undefined;
};

/**
 * Keeps the ID that a patient had, as that of a record which points to the patient: scanners go on sending it, and what
 * they send belongs here. Nothing is kept of an ID that no study came under.
 */
export const keepFormerId = async ({ db }: Scope, before: StoredPatient): Promise<void> => {
  const study = await db.selectFrom('studies').select('id').where('patient_id', '=', before.id).executeTakeFirst();
  if (!study) return;
  const { patient_id, issuer, patient_name, gender, date_of_birth } = before;
  await db
    .insertInto('patients')
    .values({ id: newId(), patient_id, issuer, patient_name, gender, date_of_birth, merged_into: before.id })
    .execute();
};
