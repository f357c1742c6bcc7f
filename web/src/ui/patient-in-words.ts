import { genderLabels, type PatientRow } from '@radwork/contract/patients';

type Known = Pick<PatientRow, 'patientId' | 'issuer' | 'formerId' | 'gender' | 'dateOfBirth' | 'identity'>;

/** Text that distinguishes patients with the same name. */
export const identityOf = ({ patientId, formerId, issuer, gender, dateOfBirth, identity }: Known): string =>
  [
    patientId,
    formerId && `was ${formerId}`,
    issuer,
    genderLabels[gender],
    dateOfBirth ? `born ${dateOfBirth}` : 'birth date unknown',
    identity && `identity to be confirmed: or ${identity.otherName || 'another patient'}`,
  ]
    .filter(Boolean)
    .join(' · ');
