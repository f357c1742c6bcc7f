import { type ImportJob, importJobs, isActive } from '@radwork/contract/import-jobs';
import type { RemoteStudy } from '@radwork/contract/remote-studies';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useMemo } from 'react';
import { call, pollingQuery, wordsFor } from '#core/api.ts';
import { toast } from '#core/toasts.ts';

/** How often jobs that move are asked after, in milliseconds. Nothing is asked in a hidden tab. */
const whileActive = 1500;
const otherwise = 30_000;

/** The newest jobs, kept up to date while any of them moves. */
export const useImportJobs = (asked: { page: number; size: number; state?: ImportJob['state'] | undefined }) =>
  useQuery({
    ...pollingQuery(importJobs.list, { query: asked }),
    refetchInterval: ({ state: { data } }) =>
      data?.content.some(({ state }) => isActive(state)) ? whileActive : otherwise,
  });

/** The newest job of each study from one archive, by study instance UID. */
export const useJobsFrom = (configId: string): ReadonlyMap<string, ImportJob> => {
  const { data } = useImportJobs({ page: 0, size: 100 });
  return useMemo(() => {
    const ofArchive = (data?.content ?? []).filter(({ remoteConfigId }) => remoteConfigId === configId);
    // Newest first: what is set last, and stays, is the newest.
    return new Map(ofArchive.toReversed().map((job) => [job.studyInstanceUID, job]));
  }, [data, configId]);
};

type Asked = { configId: string; studies: readonly RemoteStudy[] };

/** Queues imports, one after the other, so that one refusal does not hide what the others came to. */
export const useStartImports = () => {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async ({ configId, studies }: Asked) => {
      for (const { studyInstanceUID, studyUrl, patientName, studyDescription } of studies) {
        await call(importJobs.create, {
          body: {
            jobId: studyInstanceUID,
            remoteConfigId: configId,
            targetPath: studyUrl,
            types: 'IMPORT',
            parameters: { patientName, studyDescription },
          },
        });
      }
    },
    onSuccess: (_, { studies }) =>
      toast.info(studies.length === 1 ? 'Import started' : `${studies.length} imports started`),
    onError: (error) => toast.failure(wordsFor(error, 'Failed to import study')),
    onSettled: () => client.invalidateQueries({ queryKey: ['queue-jobs'] }),
  });
};
