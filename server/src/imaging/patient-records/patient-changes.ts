import { t } from '@radwork/contract/core/translate';
import type { Body } from '@radwork/contract/core/endpoint';
import { genderLabels, type patients } from '@radwork/contract/imaging/patients';
import { displayName } from '@radwork/dicom/person-name';
import { sql, type Updateable } from 'kysely';
import { invalid, Problem } from '#core/http/problem.ts';
import type { Patients } from '#core/database/schema.ts';
import type { Scope } from '#core/access/scope.ts';
import type { StoredPatient } from './patient-rows.ts';

export type PatientForm = Body<typeof patients.create>;
type ChangedForm = Omit<Body<typeof patients.update>, 'revision' | 'isFormerIdKept'>;

/** Editable columns and the form fields that show them. */
const fields = [
  { field: 'patientName', column: 'patient_name' },
  { field: 'patientId', column: 'patient_id' },
  { field: 'issuer', column: 'issuer' },
  { field: 'gender', column: 'gender' },
  { field: 'dateOfBirth', column: 'date_of_birth' },
  { field: 'address', column: 'address' },
  { field: 'phoneNumber', column: 'phone_number' },
  { field: 'email', column: 'email' },
] as const;

type Field = (typeof fields)[number];

/**
 * Converts a typed name to DICOM form (PS3.5 §6.2.1). "Doe, Jane" becomes "Doe^Jane". Text after a second comma becomes
 * the suffix. Without a comma, the whole text is the family name.
 */
const personNameOf = (name: string): string => {
  const [family = '', given = '', ...suffixes] = name.split(',').map((part) => part.trim());
  const suffix = suffixes.join(', ');
  if (suffix) return `${family}^${given}^^^${suffix}`;
  return given ? `${family}^${given}` : family;
};

const formValue = (form: ChangedForm, { field }: Field): string | null => {
  if (field === 'patientName') return personNameOf(form.patientName);
  return field === 'dateOfBirth' ? form.dateOfBirth || null : form[field];
};

/** Returns the value that a form would contain if the user had not changed the field. */
const unchangedValue = (patient: StoredPatient, { field, column }: Field): string =>
  field === 'patientName' ? displayName(patient.patient_name) : (patient[column] ?? '');

const changedFields = (patient: StoredPatient, form: ChangedForm): Field[] =>
  fields.filter((field) => form[field.field] !== unchangedValue(patient, field));

/** Returns the columns of a new patient. */
export const columnsOfForm = (form: PatientForm) => ({
  patient_name: personNameOf(form.patientName),
  patient_id: form.patientId,
  issuer: form.issuer,
  gender: form.gender,
  date_of_birth: form.dateOfBirth,
  address: form.address,
  phone_number: form.phoneNumber,
  email: form.email,
});

/** Returns the columns that a form changes. A name that was not edited stays as it came from the files. */
export const changesOf = (patient: StoredPatient, form: ChangedForm): Updateable<Patients> =>
  Object.fromEntries(
    changedFields(patient, form).map((changedField) => [changedField.column, formValue(form, changedField)]),
  );

/** Throws 422 for a form that removes a known birth date. */
export const refuseForgottenBirth = (patient: StoredPatient, { dateOfBirth }: ChangedForm): void => {
  if (dateOfBirth === '' && patient.date_of_birth !== null)
    throw invalid({ dateOfBirth: t`Date of birth is required` });
};

/** Throws 409 for an outdated form, with the current values of its changed fields. */
export const refuseOutdated = (patient: StoredPatient, revision: number, form: ChangedForm): void => {
  if (patient.revision === revision) return;
  const differences = changedFields(patient, form).map((changedField) => {
    const value =
      changedField.field === 'gender' ? genderLabels[patient.gender] : unchangedValue(patient, changedField);
    return [changedField.field, value === '' ? 'Now empty' : `Now "${value}"`];
  });
  throw new Problem(
    409,
    'patient.changed',
    t`Another user changed the patient (revision ${patient.revision}). Reload the patient.`,
    { fields: Object.fromEntries(differences) },
  );
};

type Identity = { patient_id: string; issuer: string };

/** Returns the record with an ID, if any. Transactions that assign the same ID wait for each other. */
export const recordWithId = async ({ db, session }: Scope, { patient_id, issuer }: Identity) => {
  const lock = `patient ID ${session.tenantId} ${patient_id}`;
  await sql`select pg_advisory_xact_lock(hashtextextended(${lock}, 0))`.execute(db);
  return db
    .selectFrom('patients')
    .select(['id', 'merged_into'])
    .where('patient_id', '=', patient_id)
    .where('issuer', '=', issuer)
    .executeTakeFirst();
};

/** Returns a 409 that refers to the patient who has the ID. */
export const idTaken = ({ id, merged_into }: { id: string; merged_into: string | null }): Problem => {
  const message = t`A patient with this ID already exists`;
  return new Problem(409, 'patient.id_taken', message, {
    fields: { patientId: message, existingId: merged_into ?? id },
  });
};
