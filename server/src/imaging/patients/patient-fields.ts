import { type PatientField, patientFields } from '@radwork/contract/imaging/patient-merges';
import { genderLabels } from '@radwork/contract/imaging/patients';
import { displayName } from '@radwork/dicom/person-name';
import type { StoredPatient } from '#imaging/patient-records/patient-rows.ts';

/** Columns of the fields that may differ between two records of one person. */
export const patientColumns = {
  patientName: 'patient_name',
  gender: 'gender',
  dateOfBirth: 'date_of_birth',
  address: 'address',
  phoneNumber: 'phone_number',
  email: 'email',
} as const satisfies Record<PatientField, keyof StoredPatient>;

export type Demographics = Pick<StoredPatient, (typeof patientColumns)[PatientField]>;

/** Returns the value of a field as it is displayed. Empty when unknown. */
export const shownField = (patient: Demographics, field: PatientField): string => {
  if (field === 'patientName') return displayName(patient.patient_name);
  if (field === 'gender') return patient.gender === 'U' ? '' : genderLabels[patient.gender];
  return patient[patientColumns[field]] ?? '';
};

/** Returns the fields whose displayed values differ. */
export const differingFields = (one: Demographics, other: Demographics): PatientField[] =>
  patientFields.filter((field) => shownField(one, field) !== shownField(other, field));

/** Returns the columns of these fields. */
export const columnsOf = (patient: Demographics, fields: readonly PatientField[]): Partial<Demographics> =>
  Object.fromEntries(fields.map((field) => [patientColumns[field], patient[patientColumns[field]]]));

/** Returns the contradictions between two records: birth date and gender, if both records contain them. */
export const contradictionsOf = (one: Demographics, other: Demographics): PatientField[] => {
  const contradictions: PatientField[] = [];
  if (one.date_of_birth && other.date_of_birth && one.date_of_birth !== other.date_of_birth) {
    contradictions.push('dateOfBirth');
  }
  if (one.gender !== 'U' && other.gender !== 'U' && one.gender !== other.gender) contradictions.push('gender');
  return contradictions;
};
