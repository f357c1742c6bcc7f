import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { studies, type StudyRow } from '@radwork/contract/studies';
import { useCallback } from 'react';
import { useAction } from '#core/api.ts';
import { confirm } from '#ui/confirm.tsx';
import { formatLocal } from '#ui/formats.ts';
import { offerUndo } from '#ui/undo-toast.tsx';
import { useRestoring } from './use-restoring.ts';

/** Deletes a study after confirmation. It can be undone for ten seconds, and later restored from the recycle bin. */
export const useRemoval = () => {
  const removal = useAction(studies.remove, { failed: ({ params }) => t`Error deleting study ${params.id}` });
  const { mutateAsync: remove } = removal;
  const { mutate: restore } = useRestoring();
  const askToRemove = useCallback(
    async (study: StudyRow) => {
      const agreed = await confirm({
        question: t`Are you sure you want to delete this study?`,
        consequence: <WhatGoes study={study} />,
        verb: t`Delete study`,
      });
      if (!agreed) return;
      const call = { params: { id: study.id } };
      // `useAction` already reports the error.
      await remove(call).then(
        () => offerUndo('Study deleted successfully', () => restore(call)),
        () => undefined,
      );
    },
    [remove, restore],
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
        <Trans>
          This takes {counted(seriesCount, 'series', 'series')} with {counted(instanceCount, 'image', 'images')} out of
          every list, together with drafts written about them. The recycle bin keeps them for some time and says until
          when. A study with a finalized report cannot be deleted, nor one with a critical finding that nobody has
          confirmed.
        </Trans>
      </p>
    </>
  );
}

const counted = (count: number, one: string, many: string) => `${count} ${count === 1 ? one : many}`;
