import { t } from '@lingui/core/macro';
import { schemaResolver, useForm } from '@mantine/form';
import { type PatientDetails, patientChanges, patientForm } from '@radwork/contract/imaging/patients';
import { focusFirstInvalid } from '#ui/forms/field-errors.ts';

export type PatientValues = {
  patientName: string;
  patientId: string;
  issuer: string;
  gender: string;
  dateOfBirth: string;
  address: string;
  phoneNumber: string;
  email: string;
};

export type PatientField = keyof PatientValues;

export const fieldLabels: Record<PatientField, string> = {
  patientName: t`Name`,
  patientId: t`Patient ID`,
  issuer: t`Issuer of the ID`,
  gender: t`Gender`,
  dateOfBirth: t`Date of birth`,
  address: t`Address`,
  phoneNumber: t`Phone`,
  email: t`E-mail`,
};

const empty: PatientValues = {
  patientName: '',
  patientId: '',
  issuer: '',
  gender: '',
  dateOfBirth: '',
  address: '',
  phoneNumber: '',
  email: '',
};

export const valuesOf = (patient: PatientDetails): PatientValues => ({
  patientName: patient.patientName,
  patientId: patient.patientId,
  issuer: patient.issuer,
  gender: patient.gender,
  dateOfBirth: patient.dateOfBirth ?? '',
  address: patient.address,
  phoneNumber: patient.phoneNumber,
  email: patient.email,
});

export type PatientForm = ReturnType<typeof usePatientForm>;

/** Form of a new or `stored` patient. All errors appear together, at their fields. */
export const usePatientForm = (stored: PatientDetails | undefined) => {
  // Whether the birth date may stay empty, as it was before. For example, a correction of the telephone number must not
  // require a birth date.
  const mayStayUnknown = stored !== undefined && stored.dateOfBirth === null;
  const form = useForm<PatientValues>({
    initialValues: stored ? valuesOf(stored) : empty,
    validate: schemaResolver(mayStayUnknown ? patientChanges.omit({ revision: true }) : patientForm, { sync: true }),
  });
  return { ...form, toFirstFault: (faults: object) => focusFirstInvalid(form.getInputNode, faults) };
};
