import { t } from '@radwork/contract/core/translate';
import { sql } from 'kysely';
import { newId } from '#core/values/ids.ts';
import { conflict } from '#core/http/problem.ts';
import type { Scope } from '#core/access/scope.ts';
import { lockRecords } from './lock-patients.ts';
import { idTaken, recordWithId } from '#imaging/patient-records/patient-changes.ts';
import type { StoredPatient } from '#imaging/patient-records/patient-rows.ts';

type Identity = Pick<StoredPatient, 'patient_id' | 'issuer'>;

/**
 * Makes an ID available for a patient. If it is a former ID of this patient, removes the record that holds it. Throws
 * 409 if the ID belongs to another patient. Also throws 409 if a merged record has or had the ID, because that record
 * needs it when the merge is undone.
 */
export const freeIdFor = async (scope: Scope, patientId: string, identity: Identity): Promise<void> => {
  const holder = await recordWithId(scope, identity);
  if (!holder || holder.id === patientId) return;
  if (holder.merged_into !== patientId || (await isPartOfMerge(scope, holder.id))) throw idTaken(holder);
  await removeRecord(scope, holder.id);
};

/**
 * Deletes the record that holds a former ID. Locks the record first, because an upload under this ID may hold it and
 * wait for the patient, whom the caller has already locked.
 */
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
 * Releases a former ID that was never the patient's, so that another patient can have it. Throws 409 when the ID is not
 * a former ID of the patient. Also throws 409 when the ID belongs to a merged record, which needs it when the merge is
 * undone.
 */
export const removeFormerId = async (scope: Scope, patientId: string, identity: Identity): Promise<void> => {
  const holder = await recordWithId(scope, identity);
  if (!holder || holder.merged_into !== patientId) {
    throw conflict('patient.no_former_id', t`The patient no longer has this former ID. Reload the patient.`);
  }
  if (await isPartOfMerge(scope, holder.id)) {
    throw conflict('patient.id_of_merge', t`This ID belongs to a merged record. Undo the merge to release it.`);
  }
  await removeRecord(scope, holder.id);
};

/**
 * Returns whether a record took part in a merge or a move, or was redirected as a former ID by one. If the merge or
 * move was undone, only its two patients count.
 */
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
 * Keeps a changed ID as a record that refers to the patient, because scanners still send the ID. Not needed for a
 * patient without studies.
 */
export const storeFormerId = async ({ db }: Scope, before: StoredPatient): Promise<void> => {
  const study = await db.selectFrom('studies').select('id').where('patient_id', '=', before.id).executeTakeFirst();
  if (!study) return;
  const { patient_id, issuer, patient_name, gender, date_of_birth } = before;
  await db
    .insertInto('patients')
    .values({ id: newId(), patient_id, issuer, patient_name, gender, date_of_birth, merged_into: before.id })
    .execute();
};
