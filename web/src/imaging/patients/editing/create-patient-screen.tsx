import { t } from '@lingui/core/macro';
import { patients } from '@radwork/contract/imaging/patients';
import { useNavigate } from '@tanstack/react-router';
import { useEffect } from 'react';
import { useAction } from '#core/http/api.ts';
import { fieldErrorsOf } from '#ui/forms/field-errors.ts';
import { ScreenTitle } from '#ui/layout/screen-title.tsx';
import { patientsPlace } from '#imaging/patients/list/last-list-address.ts';
import { PatientForm } from './patient-form.tsx';
import { usePatientForm } from './use-patient-form.ts';

const failed = t`Failed to create patient. Please try again.`;

/** Screen /patients/create: creates a patient without images. */
export function CreatePatientScreen() {
  const form = usePatientForm(undefined);
  const navigate = useNavigate();
  const create = useAction(patients.create, { done: t`Patient created successfully`, failed });
  const madeId = create.data?.id;
  // Navigates in an effect, after the form counts as saved. Otherwise the leave warning would appear.
  useEffect(() => {
    if (madeId) void navigate({ to: '/patients/$id', params: { id: madeId }, replace: true });
  }, [madeId, navigate]);
  const run = (body: typeof form.values) =>
    create.mutate({ body }, { onError: (error) => form.setErrors(fieldErrorsOf(error)) });
  return (
    <>
      <ScreenTitle title={t`Create patient`} />
      <PatientForm
        form={form}
        verb={t`Create patient`}
        save={{ ...create, run }}
        failed={failed}
        onCancel={() => void navigate({ to: '/patients', search: patientsPlace() })}
      />
    </>
  );
}
