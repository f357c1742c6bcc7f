import { t } from '@radwork/contract/core/translate';
import { setTimeout as wait } from 'node:timers/promises';
import { conflict, orNotFound } from '#core/http/problem.ts';
import type { Scope } from '#core/access/scope.ts';
import { patientById, type StoredPatient } from '#imaging/patient-records/patient-rows.ts';

/** Attempts to lock records that arriving images have locked, and the pause between two attempts in milliseconds. */
const patience = { attempts: 20, pause: 100 };

/**
 * Locks these records, and all records merged into them, until the transaction ends. Does not wait in the database,
 * because uploads lock the same rows in another order and could deadlock. Throws 409 when images keep arriving.
 */
export const lockRecords = async (scope: Scope, ids: readonly string[]): Promise<StoredPatient[]> => {
  for (let attempt = 1; attempt <= patience.attempts; attempt += 1) {
    if (attempt > 1) await wait(patience.pause);
    const current = await recordsOf(scope, ids).execute();
    const locked = await recordsOf(scope, ids).forNoKeyUpdate().skipLocked().execute();
    if (locked.length === current.length) return locked;
  }
  throw conflict('patient.busy', t`Images of these patients are arriving. Try again in a moment.`);
};

const recordsOf = ({ db }: Scope, ids: readonly string[]) =>
  db
    .selectFrom('patients')
    .selectAll()
    .where((eb) => eb.or([eb('id', 'in', ids), eb('merged_into', 'in', ids)]))
    .orderBy('id');

/** Locks both patients. Throws 404 when the caller may not see one of them, and 409 when one was merged. */
export const lockPatients = async (
  scope: Scope,
  [first, second]: readonly [string, string],
): Promise<[StoredPatient, StoredPatient]> => {
  // Checks the access to both patients. Access to one does not include the other.
  for (const id of [first, second]) await patientById(scope, id);
  const locked = await lockRecords(scope, [first, second]);
  const byId = new Map(locked.map((record) => [record.id, record]));
  return [unmerged(byId.get(first)), unmerged(byId.get(second))];
};

const unmerged = (row: StoredPatient | undefined): StoredPatient => {
  const patient = orNotFound(row, 'patient');
  if (patient.merged_into === null) return patient;
  throw conflict('patient.merged', t`Patient ${patient.patient_id} was merged into another patient in the meantime.`);
};

/** Throws 409 with the current revision when the caller has seen another revision. */
export const refuseChanged = ({ patient_id, revision }: StoredPatient, seenRevision: number): void => {
  if (revision === seenRevision) return;
  throw conflict(
    'patient.changed',
    t`Another user changed patient ${patient_id} (revision ${revision}). Reload the patient.`,
  );
};
