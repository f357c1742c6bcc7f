import { t } from '@lingui/core/macro';
import { Plural, Trans } from '@lingui/react/macro';
import { type ImportJob, importJobs } from '@radwork/contract/imaging/import-jobs';
import { useMemo } from 'react';
import { useAction } from '#core/http/api.ts';
import { confirm } from '#ui/dialogs/confirm.tsx';

/** Retries an import, or cancels it after confirmation. */
export const useJobActions = () => {
  const { mutate: retry } = useAction(importJobs.retry, {
    done: t`Import started`,
    failed: t`Failed to retry the import`,
  });
  const { mutate: cancel } = useAction(importJobs.cancel, {
    done: t`Import canceled`,
    failed: t`Failed to cancel the import`,
  });
  return useMemo(
    () => ({
      retry: ({ id }: ImportJob) => retry({ params: { id } }),
      cancel: async (job: ImportJob) => {
        const agreed = await confirm({
          question: t`Are you sure you want to cancel this import?`,
          consequence: <CancellationConsequences job={job} />,
          verb: t`Cancel import`,
          refusal: t`Keep importing`,
        });
        if (agreed) cancel({ params: { id: job.id } });
      },
    }),
    [retry, cancel],
  );
};

function CancellationConsequences({ job: { patientName, studyDescription, received } }: { job: ImportJob }) {
  return (
    <>
      <p>
        <strong>{patientName || t`No name`}</strong>
        <br />
        {studyDescription}
      </p>
      {received > 0 ? (
        <p>
          <Trans>
            <Plural value={received} one="# received image stays" other="# received images stay" /> in the archive. The
            study is incomplete until you retry the import.
          </Trans>
        </p>
      ) : (
        <p>{t`No images received yet. You can retry the import later.`}</p>
      )}
    </>
  );
}

export type JobActions = ReturnType<typeof useJobActions>;
