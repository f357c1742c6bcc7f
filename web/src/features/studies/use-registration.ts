import { schemaResolver, useForm, type UseFormReturnType } from '@mantine/form';
import { patients } from '@radwork/contract/patients';
import { studyRegistration } from '@radwork/contract/study-forms';
import { studies, type StudyDetails } from '@radwork/contract/studies';
import { z } from 'zod';
import { useAction } from '#core/api.ts';
import { may } from '#core/session.ts';
import { faultsIn } from '#ui/form-faults.ts';
import { useKeeping, useKept } from '#ui/use-kept.ts';
import { useLeaveWarning } from '#ui/use-leave-warning.ts';
import { noWords, studyWords, timeToSend, wordsToSend } from './study-words.ts';

const typedRegistration = z.intersection(
  studyWords,
  z.object({
    /** Whether the patient is on record or new. */
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
  ...noWords,
  whose: may(patients.list) ? 'record' : 'new',
  existingPatientId: patientId ?? '',
  newPatient: { patientName: '', patientId: '', gender: '', dateOfBirth: '' },
  modality: '',
  studyDate: '',
  studyInstanceUID: '',
});

/** What is sent: of the patient on record and the new one, the one that is meant. */
const toSend = (typed: TypedRegistration) => ({
  ...wordsToSend(typed),
  modality: typed.modality,
  studyDate: timeToSend(typed.studyDate),
  studyInstanceUID: typed.studyInstanceUID.trim(),
  ...(typed.whose === 'new' && { newPatient: typed.newPatient }),
  ...(typed.whose === 'record' && typed.existingPatientId && { existingPatientId: typed.existingPatientId }),
});

const checkRegistration = schemaResolver(studyRegistration, { sync: true });

/** Registering a study without images, for the patient with this id if one is given. */
export const useRegistration = (patientId: string | undefined, onRegistered: (study: StudyDetails) => void) => {
  // What was typed about one patient, in another window or before a crash, does not come back in the form of the next.
  const unsaved = useKept(patientId ? `study-registration.${patientId}` : 'study-registration', typedRegistration);
  const form = useForm<TypedRegistration>({
    // Whoever comes from a patient registers for that one, whatever was left behind here.
    initialValues: {
      ...(unsaved.found ?? empty(patientId)),
      ...(patientId && { whose: 'record', existingPatientId: patientId }),
    },
    validate: (typed) => checkRegistration(toSend(typed)),
  });
  const isBegun = JSON.stringify(form.values) !== JSON.stringify(empty(patientId));
  useKeeping(unsaved, isBegun ? form.values : undefined);
  useLeaveWarning(isBegun, {
    question: 'Leave without registering?',
    consequence: 'What you have typed about this study is lost.',
    verb: 'Leave',
  });
  const create = useAction(studies.create, {
    done: 'Study registered successfully',
    failed: 'Error registering study',
    refreshes: ['studies', 'patients'],
  });
  return {
    form,
    isRestored: unsaved.found !== undefined,
    isSaving: create.isPending,
    error: create.error,
    register: (typed: TypedRegistration) =>
      create.mutate(
        { body: toSend(typed) },
        { onSuccess: onRegistered, onError: (error) => form.setErrors(faultsIn(error)) },
      ),
  };
};
