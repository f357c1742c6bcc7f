import { genderLabels, type PatientRow } from '@radwork/contract/patients';

type Known = Pick<PatientRow, 'patientId' | 'issuer' | 'formerId' | 'gender' | 'dateOfBirth'>;

/** Text that distinguishes patients with the same name. */
export const identityOf = ({ patientId, formerId, issuer, gender, dateOfBirth }: Known): string =>
  [
    patientId,
    formerId && `was ${formerId}`,
    issuer,
    genderLabels[gender],
    dateOfBirth ? `born ${dateOfBirth}` : 'birth date unknown',
  ]
    .filter(Boolean)
    .join(' · ');
