import { plural, t } from '@lingui/core/macro';
import { studies } from '@radwork/contract/imaging/studies';
import type { StudyRow } from '@radwork/contract/imaging/study-rows';
import { useCallback } from 'react';
import { useAction } from '#core/http/api.ts';
import { confirm } from '#ui/dialogs/confirm.tsx';
import { formatLocal } from '#ui/formats/formats.ts';
import { offerUndo } from '#ui/feedback/undo-toast.tsx';
import { useStudyRestore } from '#imaging/studies/use-study-restore.ts';

export const errorDeleting = ({ id }: { id: string }): string => t`Error deleting study ${id}`;

export const useStudyDeletion = () => {
  const removal = useAction(studies.remove, { failed: ({ params }) => errorDeleting(params) });
  const { mutateAsync: remove } = removal;
  const { mutate: restore } = useStudyRestore();
  const askToRemove = useCallback(
    async (study: StudyRow) => {
      const agreed = await confirm({
        question: t`Are you sure you want to delete this study?`,
        consequence: <DeletionConsequences study={study} />,
        verb: t`Delete study`,
      });
      if (!agreed) return;
      const call = { params: { id: study.id } };
      // Ignores the error, because `useAction` has already shown it.
      await remove(call).then(
        () => offerUndo(t`Study deleted successfully`, () => restore(call)),
        () => undefined,
      );
    },
    [remove, restore],
  );
  return { removal, askToRemove };
};

function DeletionConsequences({ study }: { study: StudyRow }) {
  const { patient, studyDate, seriesCount, instanceCount } = study;
  const series = t`${plural(seriesCount, { one: '# series', other: '# series' })}`;
  const images = t`${plural(instanceCount, { one: '# image', other: '# images' })}`;
  const what = [study.description || study.studyDescription || study.modality, formatLocal(studyDate)];
  return (
    <>
      <p>
        <strong>{patient.patientName}</strong> {patient.patientId}
        <br />
        {what.filter(Boolean).join(', ')}
      </p>
      <p>
        {t`${series} with ${images} and all draft reports move to the recycle bin, where the purge date is shown.`}{' '}
        {t`A study with a finalized report or an unacknowledged critical finding cannot be deleted.`}
      </p>
    </>
  );
}
