import { setTimeout as wait } from 'node:timers/promises';
import { conflict, found } from '#core/problem.ts';
import type { Scope } from '#core/scope.ts';
import { patientById, type StoredPatient } from './patient-rows.ts';

/** How often it is tried to get hold of records that arriving images hold, and the pause between, in milliseconds. */
const patience = { attempts: 20, pause: 100 };

/**
 * The records with these ids and all that point to them, and nobody else changes one of them or files a study under it
 * before this transaction ends. It never waits inside the database: uploads lock the same rows in an order of their
 * own, and one of the two would have to be given up. Throws a 409 when images go on arriving.
 */
export const lockRecords = async (scope: Scope, ids: readonly string[]): Promise<StoredPatient[]> => {
  for (let attempt = 1; attempt <= patience.attempts; attempt += 1) {
    if (attempt > 1) await wait(patience.pause);
    const wanted = await recordsOf(scope, ids).execute();
    const held = await recordsOf(scope, ids).forNoKeyUpdate().skipLocked().execute();
    if (held.length === wanted.length) return held;
  }
  throw conflict('patient.busy', 'Images of these patients are arriving. Try again in a moment.');
};

const recordsOf = ({ db }: Scope, ids: readonly string[]) =>
  db
    .selectFrom('patients')
    .selectAll()
    .where((eb) => eb.or([eb('id', 'in', ids), eb('merged_into', 'in', ids)]))
    .orderBy('id');

/** Both patients, likewise. Throws a 404 for one whom the caller may not know of, and a 409 for one that was merged. */
export const lockPatients = async (
  scope: Scope,
  [first, second]: readonly [string, string],
): Promise<[StoredPatient, StoredPatient]> => {
  // Both are asked for: a known patient gives no access to another one that is named beside it.
  for (const id of [first, second]) await patientById(scope, id);
  const held = await lockRecords(scope, [first, second]);
  const byId = new Map(held.map((record) => [record.id, record]));
  return [standing(byId.get(first)), standing(byId.get(second))];
};

const standing = (row: StoredPatient | undefined): StoredPatient => {
  const patient = found(row, 'patient');
  if (patient.merged_into === null) return patient;
  throw conflict('patient.merged', `Patient ${patient.patient_id} was merged into another one meanwhile.`);
};

/** Throws a 409 that names the revision a patient is at, when it is not the one that somebody looked at. */
export const refuseChanged = ({ patient_id, revision }: StoredPatient, seen: number): void => {
  if (revision === seen) return;
  throw conflict(
    'patient.changed',
    `Patient ${patient_id} was changed by somebody else: it is now at revision ${revision}. Look again.`,
  );
};
