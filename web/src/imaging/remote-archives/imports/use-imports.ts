import { type ImportJob, importJobs, isActive } from '@radwork/contract/imaging/import-jobs';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { pollingQuery } from '#core/http/api.ts';
import { usePollInterval } from '#core/live/live.ts';

/** Poll interval of running jobs while live events are unavailable, in milliseconds. */
const whileActive = 1500;
const otherwise = 30_000;

/** Loads the newest jobs. Polls more often while a job runs. */
export const useImportJobs = (jobQuery: { page: number; size: number; state?: ImportJob['state'] | undefined }) => {
  const often = usePollInterval(whileActive);
  const seldom = usePollInterval(otherwise);
  return useQuery({
    ...pollingQuery(importJobs.list, { query: jobQuery }),
    refetchInterval: ({ state: { data } }) => (data?.content.some(({ state }) => isActive(state)) ? often : seldom),
  });
};

/** Loads a job with its failed instances. Polls until the job ends. */
export const useImportJob = (id: string) => {
  const often = usePollInterval(whileActive);
  return useQuery({
    ...pollingQuery(importJobs.read, { params: { id } }),
    refetchInterval: ({ state: { data } }) => (data && isActive(data.state) ? often : false),
  });
};

/** Returns the newest job of each study of one remote archive, by StudyInstanceUID. */
export const useJobsFrom = (configId: string): ReadonlyMap<string, ImportJob> => {
  const { data } = useImportJobs({ page: 0, size: 100 });
  return useMemo(() => {
    const ofArchive = (data?.content ?? []).filter(({ remoteConfigId }) => remoteConfigId === configId);
    // Reverses the list, which starts with the newest job. Newer jobs then overwrite older jobs.
    return new Map(ofArchive.toReversed().map((job) => [job.studyInstanceUID, job]));
  }, [data, configId]);
};
