import { studies, type StudyRow } from '@radwork/contract/studies';
import { useCallback } from 'react';
import { useAction } from '#core/api.ts';
import { confirm } from '#ui/confirm.tsx';
import { formatLocal } from '#ui/formats.ts';

/** Deleting a study, after asking. */
export const useRemoval = () => {
  const removal = useAction(studies.remove, {
    done: 'Study deleted successfully',
    failed: ({ params }) => `Error deleting study ${params.id}`,
  });
  const { mutate } = removal;
  const askToRemove = useCallback(
    async (study: StudyRow) => {
      const agreed = await confirm({
        question: 'Are you sure you want to delete this study?',
        consequence: <WhatGoes study={study} />,
        verb: 'Delete study',
      });
      if (agreed) mutate({ params: { id: study.id } });
    },
    [mutate],
  );
  return { removal, askToRemove };
};

function WhatGoes({ study }: { study: StudyRow }) {
  const { patient, studyDate, seriesCount, instanceCount } = study;
  const what = [study.description || study.studyDescription || study.modality, formatLocal(studyDate)];
  return (
    <>
      <p>
        <strong>{patient.patientName}</strong> {patient.patientId}
        <br />
        {what.filter(Boolean).join(', ')}
      </p>
      <p>
        This takes {counted(seriesCount, 'series', 'series')} with {counted(instanceCount, 'image', 'images')} out of
        every list, together with drafts written about them. A study with a finalized report cannot be deleted.
      </p>
    </>
  );
}

const counted = (count: number, one: string, many: string) => `${count} ${count === 1 ? one : many}`;
