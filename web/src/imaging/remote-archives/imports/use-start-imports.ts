import { plural, t } from '@lingui/core/macro';
import { type ImportJob, importJobs } from '@radwork/contract/imaging/import-jobs';
import type { RemoteStudy } from '@radwork/contract/imaging/remote-studies';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { ApiError, call } from '#core/http/api.ts';
import { toast } from '#core/browser/toasts.ts';
import { isToBeRetried } from './import-offer.ts';

/** A study whose import could not be queued, with the reason. */
export type Refusal = { study: RemoteStudy; reason: string };

const failed = t`Failed to import study`;

/**
 * Queues imports one by one, so that one refused import does not hide the results of the other imports. `onRequested`
 * receives the result of each request.
 */
export const useStartImports = (
  configId: string,
  jobs: ReadonlyMap<string, ImportJob>,
  onRequested: (requested: readonly RemoteStudy[], refusals: readonly Refusal[]) => void,
) => {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async (studies: readonly RemoteStudy[]) => {
      const refusals: Refusal[] = [];
      for (const study of studies) {
        try {
          await startImport(configId, study, jobs.get(study.studyInstanceUID));
        } catch (error) {
          refusals.push({ study, reason: error instanceof ApiError ? error.message : failed });
        }
      }
      return { started: studies.length - refusals.length, refusals };
    },
    onSuccess: ({ started, refusals }, requested) => {
      onRequested(requested, refusals);
      if (started > 0) toast.info(t`${plural(started, { one: 'Import started', other: '# imports started' })}`);
      if (refusals.length > 0) toast.failure(failed);
    },
    onSettled: () => client.invalidateQueries({ queryKey: ['queue-jobs'] }),
  });
};

/** Resumes an incomplete job of the study, or starts a new job. */
const startImport = (configId: string, study: RemoteStudy, job: ImportJob | undefined) =>
  job && isToBeRetried(study, job)
    ? call(importJobs.retry, { params: { id: job.id } })
    : call(importJobs.create, {
        body: {
          jobId: study.studyInstanceUID,
          remoteConfigId: configId,
          targetPath: study.studyUrl,
          types: 'IMPORT',
          parameters: { patientName: study.patientName, studyDescription: study.studyDescription },
        },
      });
