import { t } from '@radwork/contract/core/translate';
import type { Body } from '@radwork/contract/core/endpoint';
import type { studies } from '@radwork/contract/imaging/studies';
import type { Selectable } from 'kysely';
import { announce } from '#core/live/announce.ts';
import { audit } from '#core/audit/audit.ts';
import { newId } from '#core/values/ids.ts';
import { forbidden, invalid } from '#core/http/problem.ts';
import type { Patients } from '#core/database/schema.ts';
import { hasPermission, type Scope } from '#core/access/scope.ts';
import { mayKnowPatient } from '#core/access/study-access.ts';
import { refuseBirthToCome } from '#imaging/patient-records/birth-days.ts';
import { columnsOfForm, type PatientForm } from '#imaging/patient-records/patient-changes.ts';

type Registration = Body<typeof studies.create>;
type RegisteredPatient = Pick<Selectable<Patients>, 'id' | 'patient_name' | 'patient_id'> & {
  /**
   * The record that the user chose, if it was merged into this patient. When the merge is undone, the study returns to
   * that record.
   */
  named: string | null;
};

/**
 * Returns the patient for a registration. Throws 422 at the field for an unknown patient, and for a new patient who
 * already exists.
 */
export const patientToRegister = async (
  scope: Scope,
  { existingPatientId, newPatient }: Registration,
): Promise<RegisteredPatient> => {
  const patient = newPatient ? await addPatient(scope, newPatient) : await patientOnRecord(scope, existingPatientId);
  if (patient) return patient;
  throw invalid(
    newPatient
      ? { 'newPatient.patientId': t`A patient with this ID already exists. Choose that patient.` }
      : { existingPatientId: t`This patient no longer exists. Choose another patient.` },
  );
};

/** Returns the record with this row id or, if it was merged, its survivor. */
const patientOnRecord = async (scope: Scope, id = ''): Promise<RegisteredPatient | undefined> => {
  const record = await recordToRegister(scope, id);
  if (!record?.merged_into) return record && { ...record, named: null };
  const survivor = await recordToRegister(scope, record.merged_into);
  return survivor && { ...survivor, named: record.id };
};

/** Locks the record until the transaction ends, so that it cannot be merged before the study is created. */
const recordToRegister = ({ db, session }: Scope, id: string) =>
  db
    .selectFrom('patients')
    .select(['id', 'patient_name', 'patient_id', 'merged_into'])
    .where('id', '=', id)
    .where(mayKnowPatient(session, 'patients.id'))
    .forShare()
    .executeTakeFirst();

const addPatient = async (scope: Scope, form: PatientForm): Promise<RegisteredPatient | undefined> => {
  if (!hasPermission(scope.session, 'patient.edit')) throw forbidden();
  await refuseBirthToCome(scope, form.dateOfBirth, 'newPatient.dateOfBirth');
  const patient = await scope.db
    .insertInto('patients')
    .values({ id: newId(), ...columnsOfForm(form) })
    .onConflict((same) => same.doNothing())
    .returning(['id', 'patient_name', 'patient_id'])
    .executeTakeFirst();
  if (!patient) return undefined;
  await audit(scope, 'patient.create', { entity: 'patient', entityId: patient.id, patientId: patient.id });
  await announce(scope, { kind: 'patient', patientId: patient.id });
  return { ...patient, named: null };
};
