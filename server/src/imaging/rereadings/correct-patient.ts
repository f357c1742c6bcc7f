import { sql } from 'kysely';
import { announce } from '#core/live/announce.ts';
import { audit } from '#core/audit/audit.ts';
import type { Scope } from '#core/access/scope.ts';
import { type Difference, differenceOf } from './compare-headers.ts';
import type { Corrected, Readings } from './readings.ts';

/**
 * Corrects the name of a patient that an earlier version read in a wrong character set. Corrects it only if the record
 * has the Patient ID of the file and exactly the name that the earlier reader gave. Otherwise a user may have corrected
 * it, so it is only listed.
 */
export const correctPatient = async (scope: Scope, { file, earlier, now }: Readings): Promise<Corrected> => {
  const [before, after] = [earlier.patient.patient_name, now.patient.patient_name];
  if (before === after) return { changed: [], left: [] };
  const { db } = scope;
  const patient = await db
    .selectFrom('patients')
    .innerJoin('studies', 'studies.patient_id', 'patients.id')
    .select(['patients.id', 'patients.patient_id', 'patients.patient_name'])
    .where('studies.id', '=', file.study_id)
    .forUpdate('patients')
    .executeTakeFirstOrThrow();
  const { id, patient_name } = patient;
  if (patient_name === after) return { changed: [], left: [] };
  const difference: Difference = differenceOf('PatientName', patient_name, after);
  if (patient_name !== before || patient.patient_id !== now.patient.patient_id) {
    return { changed: [], left: [difference] };
  }
  await db
    .updateTable('patients')
    .set(({ eb }) => ({ patient_name: after, revision: eb('revision', '+', 1), updated_at: sql<string>`now()` }))
    .where('id', '=', id)
    .execute();
  const detail = { fields: 'patient_name', isReadAgain: true };
  await audit(scope, 'patient.update', { entity: 'patient', entityId: id, patientId: id, detail });
  await announce(scope, { kind: 'patient', patientId: id });
  return { changed: [difference], left: [] };
};
