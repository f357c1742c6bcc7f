import { t } from '@lingui/core/macro';
import { schemaResolver, useForm } from '@mantine/form';
import { studyForm } from '@radwork/contract/imaging/study-forms';
import { studies } from '@radwork/contract/imaging/studies';
import type { StudyDetails } from '@radwork/contract/imaging/study-rows';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { z } from 'zod';
import { ApiError, query, useAction } from '#core/http/api.ts';
import { fieldErrorsOf } from '#ui/forms/field-errors.ts';
import { useSaveUnsavedForm, useUnsavedForm } from '#ui/forms/use-unsaved-form.ts';
import { useLeaveWarning } from '#ui/dialogs/use-leave-warning.ts';
import {
  changedFields,
  type StudyField,
  type StudyFormValues,
  studyFormValues,
  formValuesOf,
  toStudyInput,
} from './study-form-values.ts';

/** Revision and values when the form opened. */
const ground = z.object({ revision: z.number(), before: studyFormValues });
const storedEdit = ground.extend({ typed: studyFormValues });

/** A field that two users have changed at the same time. */
export type FieldConflict = { field: StudyField; theirs: string; mine: string };

const checkWords = schemaResolver(studyForm.omit({ revision: true }), { sync: true });

/** Question before leaving a form with unsaved input. */
export const leaveWarning = {
  question: t`Leave without saving?`,
  consequence: t`Your unsaved entries are lost.`,
  verb: t`Leave`,
};

const isOutdated = (error: unknown) => error instanceof ApiError && error.status === 409;

export type StudyEdit = ReturnType<typeof useStudyEdit>;

/**
 * State of editing one study. Sends only changed fields, with the revision on which they are based. After a conflict,
 * merges the other user's study with the typed input and lists the fields in conflict. Nothing is overwritten without a
 * choice.
 */
export const useStudyEdit = (study: StudyDetails, onSaved: () => void) => {
  const client = useQueryClient();
  const unsaved = useUnsavedForm(`study-edit.${study.id}`, storedEdit);
  const [{ revision, before }, setGround] = useState<z.infer<typeof ground>>(
    () => unsaved.found ?? { revision: study.revision, before: formValuesOf(study) },
  );
  const [collisions, setCollisions] = useState<FieldConflict[]>([]);
  const form = useForm<StudyFormValues>({
    initialValues: unsaved.found?.typed ?? formValuesOf(study),
    validate: (values) => checkWords(toStudyInput(values)),
  });
  const changed = changedFields(before, form.values);
  const isChanged = changed.length > 0;
  useSaveUnsavedForm(unsaved, isChanged ? { revision, before, typed: form.values } : undefined);
  useLeaveWarning(isChanged, leaveWarning);
  const update = useAction(studies.update, {
    done: t`Study updated successfully`,
    failed: ({ params: { id } }) => t`Error updating study ${id}`,
  });

  const mergeNewest = async (values: StudyFormValues) => {
    const newest = await client.fetchQuery({ ...query(studies.get, { params: { id: study.id } }), staleTime: 0 });
    const theirs = formValuesOf(newest);
    const mine = changedFields(before, values);
    const both = mine.filter((field) => theirs[field] !== before[field] && theirs[field] !== values[field]);
    setCollisions(both.map((field) => ({ field, theirs: theirs[field], mine: values[field] })));
    form.setValues({ ...theirs, ...Object.fromEntries(mine.map((field) => [field, values[field]])) });
    setGround({ revision: newest.revision, before: theirs });
  };

  return {
    form,
    collisions,
    isChanged,
    isRestored: unsaved.found !== undefined,
    isSaving: update.isPending,
    error: update.error,
    isOutdated: isOutdated(update.error),
    save: (values: StudyFormValues) => {
      if (!isChanged) return onSaved();
      const body = { revision, ...toStudyInput(values, changed) };
      return update.mutate(
        { params: { id: study.id }, body },
        {
          onSuccess: onSaved,
          onError: (error) => {
            // If the study cannot be fetched, the next save reports the conflict again.
            if (isOutdated(error)) mergeNewest(values).catch(() => {});
            else form.setErrors(fieldErrorsOf(error));
          },
        },
      );
    },
  };
};
