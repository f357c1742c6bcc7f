import { schemaResolver, useForm } from '@mantine/form';
import { studyForm } from '@radwork/contract/study-forms';
import { studies, type StudyDetails } from '@radwork/contract/studies';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { z } from 'zod';
import { ApiError, query, useAction } from '#core/api.ts';
import { faultsIn } from '#ui/form-faults.ts';
import { useKeeping, useKept } from '#ui/use-kept.ts';
import { useLeaveWarning } from '#ui/use-leave-warning.ts';
import { changedFields, type StudyField, type StudyWords, studyWords, wordsOf, wordsToSend } from './study-words.ts';

/** What a form was filled in on: the study as it was then. */
const ground = z.object({ revision: z.number(), before: studyWords });
const kept = ground.extend({ typed: studyWords });

/** A field that two people changed at the same time. */
export type Collision = { field: StudyField; theirs: string; mine: string };

const checkWords = schemaResolver(studyForm.omit({ revision: true }), { sync: true });

/** What is asked before somebody leaves what they have typed. */
export const leaving = {
  question: 'Leave without saving?',
  consequence: 'What you have typed about this study is lost.',
  verb: 'Leave',
};

const isOutdated = (error: unknown) => error instanceof ApiError && error.status === 409;

export type StudyEdit = ReturnType<typeof useStudyEdit>;

/**
 * Editing one study. Only what was changed is sent, on the revision that it was changed on. When somebody else has been
 * faster nothing is overwritten: the form goes on with their study and what was typed here, and names what both changed.
 */
export const useStudyEdit = (study: StudyDetails, onSaved: () => void) => {
  const client = useQueryClient();
  const unsaved = useKept(`study-edit.${study.id}`, kept);
  const [{ revision, before }, setGround] = useState<z.infer<typeof ground>>(
    () => unsaved.found ?? { revision: study.revision, before: wordsOf(study) },
  );
  const [collisions, setCollisions] = useState<Collision[]>([]);
  const form = useForm<StudyWords>({
    initialValues: unsaved.found?.typed ?? wordsOf(study),
    validate: (typed) => checkWords(wordsToSend(typed)),
  });
  const changed = changedFields(before, form.values);
  const isChanged = changed.length > 0;
  useKeeping(unsaved, isChanged ? { revision, before, typed: form.values } : undefined);
  useLeaveWarning(isChanged, leaving);
  const update = useAction(studies.update, {
    done: 'Study updated successfully',
    failed: ({ params }) => `Error updating study ${params.id}`,
  });

  const goOnWithTheirs = async (typed: StudyWords) => {
    const newest = await client.fetchQuery({ ...query(studies.get, { params: { id: study.id } }), staleTime: 0 });
    const theirs = wordsOf(newest);
    const mine = changedFields(before, typed);
    const both = mine.filter((field) => theirs[field] !== before[field] && theirs[field] !== typed[field]);
    setCollisions(both.map((field) => ({ field, theirs: theirs[field], mine: typed[field] })));
    form.setValues({ ...theirs, ...Object.fromEntries(mine.map((field) => [field, typed[field]])) });
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
    save: (typed: StudyWords) => {
      if (!isChanged) return onSaved();
      const body = { revision, ...wordsToSend(typed, changed) };
      return update.mutate(
        { params: { id: study.id }, body },
        {
          onSuccess: onSaved,
          onError: (error) => {
            // Should the study not be read, the next attempt finds out again that it was changed.
            if (isOutdated(error)) goOnWithTheirs(typed).catch(() => {});
            else form.setErrors(faultsIn(error));
          },
        },
      );
    },
  };
};
