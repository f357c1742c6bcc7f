import { t } from '@lingui/core/macro';
import { schemaResolver, useForm, type UseFormReturnType } from '@mantine/form';
import { patients } from '@radwork/contract/imaging/patients';
import { studyRegistration } from '@radwork/contract/imaging/study-forms';
import { studies } from '@radwork/contract/imaging/studies';
import type { StudyDetails } from '@radwork/contract/imaging/study-rows';
import { z } from 'zod';
import { useAction } from '#core/http/api.ts';
import { may } from '#core/state/session.ts';
import { fieldErrorsOf } from '#ui/forms/field-errors.ts';
import { useSaveUnsavedForm, useUnsavedForm } from '#ui/forms/use-unsaved-form.ts';
import { useLeaveWarning } from '#ui/dialogs/use-leave-warning.ts';
import { emptyStudyForm, studyFormValues, timeToSend, toStudyInput } from './study-form-values.ts';

const typedRegistration = z.intersection(
  studyFormValues,
  z.object({
    /** Whether the study is for an existing or a new patient. */
    whose: z.enum(['record', 'new']),
    existingPatientId: z.string(),
    newPatient: z.object({
      patientName: z.string(),
      patientId: z.string(),
      gender: z.string(),
      dateOfBirth: z.string(),
    }),
    modality: z.string(),
    studyDate: z.string(),
    studyInstanceUID: z.string(),
  }),
);
type TypedRegistration = z.infer<typeof typedRegistration>;
export type RegistrationForm = UseFormReturnType<TypedRegistration>;

const empty = (patientId: string | undefined): TypedRegistration => ({
  ...emptyStudyForm,
  whose: may(patients.list) ? 'record' : 'new',
  existingPatientId: patientId ?? '',
  newPatient: { patientName: '', patientId: '', gender: '', dateOfBirth: '' },
  modality: '',
  studyDate: '',
  studyInstanceUID: '',
});

/** Returns the request body. It contains either the existing or the new patient. */
const toSend = (values: TypedRegistration) => ({
  ...toStudyInput(values),
  modality: values.modality,
  studyDate: timeToSend(values.studyDate),
  studyInstanceUID: values.studyInstanceUID.trim(),
  ...(values.whose === 'new' && { newPatient: values.newPatient }),
  ...(values.whose === 'record' && values.existingPatientId && { existingPatientId: values.existingPatientId }),
});

const checkRegistration = schemaResolver(studyRegistration, { sync: true });

/** Form to register a study without images, for the given patient if any. */
export const useRegistration = (patientId: string | undefined, onRegistered: (study: StudyDetails) => void) => {
  // Stores unsaved input per patient, so that it never appears in another patient's form.
  const unsaved = useUnsavedForm(
    patientId ? `study-registration.${patientId}` : 'study-registration',
    typedRegistration,
  );
  const form = useForm<TypedRegistration>({
    // The patient in the address takes precedence over restored input.
    initialValues: {
      ...(unsaved.found ?? empty(patientId)),
      ...(patientId && { whose: 'record', existingPatientId: patientId }),
    },
    validate: (values) => checkRegistration(toSend(values)),
  });
  const isBegun = JSON.stringify(form.values) !== JSON.stringify(empty(patientId));
  useSaveUnsavedForm(unsaved, isBegun ? form.values : undefined);
  useLeaveWarning(isBegun, {
    question: t`Leave without registering?`,
    consequence: t`Your unsaved entries are lost.`,
    verb: t`Leave`,
  });
  const create = useAction(studies.create, {
    done: t`Study registered successfully`,
    failed: t`Error registering study`,
    refreshes: ['studies', 'patients'],
  });
  return {
    form,
    isRestored: unsaved.found !== undefined,
    isSaving: create.isPending,
    error: create.error,
    register: (values: TypedRegistration) =>
      create.mutate(
        { body: toSend(values) },
        { onSuccess: onRegistered, onError: (error) => form.setErrors(fieldErrorsOf(error)) },
      ),
  };
};
