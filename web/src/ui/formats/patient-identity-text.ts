import { t } from '@lingui/core/macro';
import { genderLabels, type PatientRow } from '@radwork/contract/imaging/patients';

type PatientIdentityFields = Pick<
  PatientRow,
  'patientId' | 'issuer' | 'formerId' | 'gender' | 'dateOfBirth' | 'identity'
>;

/** Returns a text that tells patients with the same name apart. */
export const patientIdentityText = ({
  patientId,
  formerId,
  issuer,
  gender,
  dateOfBirth,
  identity,
}: PatientIdentityFields): string => {
  const otherName = identity?.otherName || t`another patient`;
  return [
    patientId,
    formerId && t`formerly ${formerId}`,
    issuer,
    genderLabels[gender],
    dateOfBirth ? t`born ${dateOfBirth}` : t`birth date unknown`,
    identity && t`identity to be confirmed: or ${otherName}`,
  ]
    .filter(Boolean)
    .join(' · ');
};
