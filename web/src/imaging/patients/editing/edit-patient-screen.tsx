import { t } from '@lingui/core/macro';
import { patients, type PatientDetails } from '@radwork/contract/imaging/patients';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { ApiError, query, useAction } from '#core/http/api.ts';
import { fieldErrorsOf } from '#ui/forms/field-errors.ts';
import { ScreenTitle } from '#ui/layout/screen-title.tsx';
import { ErrorState, Skeleton } from '#ui/feedback/content-states.tsx';
import { type FormerId, FormerIdChoice } from './former-id-choice.tsx';
import { PatientConflict } from './patient-conflict.tsx';
import { PatientForm } from './patient-form.tsx';
import { PatientNotFound } from '#imaging/patients/page/patient-not-found.tsx';
import { usePatientForm, valuesOf } from './use-patient-form.ts';

/** Screen /patients/:id/edit: edits a patient. */
export function EditPatientScreen() {
  const id = useParams({ strict: false, select: (params) => params.id ?? '' });
  const patient = useQuery(query(patients.get, { params: { id } }));
  if (patient.data) return <EditPatient key={id} patient={patient.data} />;
  if (patient.isPending) return <Skeleton lines={8} label={t`Loading patient`} />;
  if (patient.error instanceof ApiError && patient.error.status === 404) return <PatientNotFound />;
  return (
    <ErrorState
      failed={t`Failed to fetch patient data.`}
      error={patient.error}
      onRetry={() => void patient.refetch()}
    />
  );
}

const failed = t`Failed to update patient. Please try again.`;

function EditPatient({ patient }: { patient: PatientDetails }) {
  // Patient when the form opened. Newer server data must not replace what the user types.
  const [base, setBase] = useState(patient);
  const form = usePatientForm(base);
  const navigate = useNavigate();
  const client = useQueryClient();
  const update = useAction(patients.update, { done: t`Patient updated successfully`, failed });
  const { isSuccess } = update;
  const toPatient = () => void navigate({ to: '/patients/$id', params: { id: base.id } });
  useEffect(() => {
    if (isSuccess) void navigate({ to: '/patients/$id', params: { id: base.id }, replace: true });
  }, [isSuccess, navigate, base.id]);
  const [formerId, setFormerId] = useState<FormerId>();
  const [isChoiceMissing, setChoiceMissing] = useState(false);
  const isRenumbered = form.values.patientId !== base.patientId || form.values.issuer !== base.issuer;
  // Whether to ask about the former Patient ID. Without studies, no former ID is stored.
  const asksForFormerId = isRenumbered && base.studyCount > 0;
  const isOutdated = update.error instanceof ApiError && update.error.error === 'patient.changed';

  const run = (values: typeof form.values) => {
    const isMissing = asksForFormerId && formerId === undefined;
    setChoiceMissing(isMissing);
    if (isMissing) return;
    update.mutate(
      {
        params: { id: base.id },
        body: { ...values, revision: base.revision, isFormerIdKept: formerId !== 'released' },
      },
      {
        onError: (error) => {
          form.setErrors(fieldErrorsOf(error));
          void client.invalidateQueries({ queryKey: ['patients'] });
        },
      },
    );
  };
  const keepEditing = (values: typeof form.values) => {
    setBase(patient);
    form.setValues(values);
    form.resetDirty(valuesOf(patient));
    form.clearErrors();
    update.reset();
  };
  return (
    <>
      <ScreenTitle title={t`Edit patient`}>
        <span className="muted">{[patient.patientName, patient.patientId].join(' · ')}</span>
      </ScreenTitle>
      <PatientForm
        form={form}
        stored={base}
        verb={t`Save changes`}
        save={{ ...update, run }}
        failed={failed}
        onCancel={toPatient}
      >
        {asksForFormerId && (
          <FormerIdChoice
            patientId={base.patientId}
            value={formerId}
            error={isChoiceMissing && formerId === undefined ? t`Choose whether to keep the former ID` : undefined}
            onChange={setFormerId}
          />
        )}
        {isOutdated && patient.revision !== base.revision && (
          <PatientConflict
            typed={form.values}
            current={patient}
            onKeep={() => keepEditing(form.values)}
            onAdopt={() => keepEditing(valuesOf(patient))}
          />
        )}
      </PatientForm>
    </>
  );
}
