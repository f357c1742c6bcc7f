import type { Body } from '@radwork/contract/endpoint';
import { genderLabels, type patients } from '@radwork/contract/patients';
import { displayName } from '@radwork/dicom/person-name';
import { sql, type Updateable } from 'kysely';
import { invalid, Problem } from '#core/problem.ts';
import type { Patients } from '#core/schema.ts';
import type { Scope } from '#core/scope.ts';
import type { StoredPatient } from './patient-rows.ts';

export type PatientForm = Body<typeof patients.create>;
type ChangedForm = Omit<Body<typeof patients.update>, 'revision' | 'isFormerIdKept'>;

/** The columns that people may change, and where the form has them. */
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
 * A name as DICOM writes it (PS3.5 §6.2.1), of one as people do: "Doe, Jane" is "Doe^Jane", and what follows a second
 * comma is the suffix. Without a comma nobody can tell family from given names, so all of it is the family name.
 */
const personNameOf = (typed: string): string => {
  const [family = '', given = '', ...suffixes] = typed.split(',').map((part) => part.trim());
  const suffix = suffixes.join(', ');
  if (suffix) return `${family}^${given}^^^${suffix}`;
  return given ? `${family}^${given}` : family;
};

const formValue = (form: ChangedForm, { field }: Field): string | null => {
  if (field === 'patientName') return personNameOf(form.patientName);
  return field === 'dateOfBirth' ? form.dateOfBirth || null : form[field];
};

/** What the form would say if nothing were changed. */
const unchangedValue = (patient: StoredPatient, { field, column }: Field): string =>
  field === 'patientName' ? displayName(patient.patient_name) : (patient[column] ?? '');

const changedFields = (patient: StoredPatient, form: ChangedForm): Field[] =>
  fields.filter((one) => form[one.field] !== unchangedValue(patient, one));

/** The columns of a new patient. */
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

/** What a form changes. A name that is sent back as it was shown stays as the files write it. */
export const changesOf = (patient: StoredPatient, form: ChangedForm): Updateable<Patients> =>
  Object.fromEntries(changedFields(patient, form).map((one) => [one.column, formValue(form, one)]));

/** Throws a 422 for a form that forgets a date of birth that is known. */
export const refuseForgottenBirth = (patient: StoredPatient, { dateOfBirth }: ChangedForm): void => {
  if (dateOfBirth === '' && patient.date_of_birth !== null) throw invalid({ dateOfBirth: 'Date of birth is required' });
};

/** Refuses a form that was filled in on an older revision, and names what the patient says by now. */
export const refuseOutdated = (patient: StoredPatient, revision: number, form: ChangedForm): void => {
  if (patient.revision === revision) return;
  const differences = changedFields(patient, form).map((one) => {
    const value = one.field === 'gender' ? genderLabels[patient.gender] : unchangedValue(patient, one);
    return [one.field, value === '' ? 'Is now empty' : `Is now "${value}"`];
  });
  throw new Problem(
    409,
    'patient.changed',
    `The patient was changed by somebody else: it is now at revision ${patient.revision}`,
    { fields: Object.fromEntries(differences) },
  );
};

type Identity = { patient_id: string; issuer: string };

/** The record that has an ID, if there is one; people who give out IDs take turns until they are done. */
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

/** A 409 that says whose the ID is (C57). */
export const idTaken = ({ id, merged_into }: { id: string; merged_into: string | null }): Problem => {
  const message = 'A patient with this ID already exists';
  return new Problem(409, 'patient.id_taken', message, {
    fields: { patientId: message, existingId: merged_into ?? id },
  });
};
