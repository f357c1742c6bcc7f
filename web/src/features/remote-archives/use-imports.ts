import { type ImportJob, importJobs, isActive } from '@radwork/contract/import-jobs';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { pollingQuery } from '#core/api.ts';
import { usePollInterval } from '#core/live.ts';

/** How often jobs that move are asked after while nobody tells that they have, in milliseconds. */
const whileActive = 1500;
const otherwise = 30_000;

/** The newest jobs, kept up to date while any of them moves. */
export const useImportJobs = (asked: { page: number; size: number; state?: ImportJob['state'] | undefined }) => {
  const often = usePollInterval(whileActive);
  const seldom = usePollInterval(otherwise);
  return useQuery({
    ...pollingQuery(importJobs.list, { query: asked }),
    refetchInterval: ({ state: { data } }) => (data?.content.some(({ state }) => isActive(state)) ? often : seldom),
  });
};

/** One job with what did not come, kept up to date until it has ended. */
export const useImportJob = (id: string) => {
  const often = usePollInterval(whileActive);
  return useQuery({
    ...pollingQuery(importJobs.read, { params: { id } }),
    refetchInterval: ({ state: { data } }) => (data && isActive(data.state) ? often : false),
  });
};

/** The newest job of each study from one archive, by study instance UID. */
export const useJobsFrom = (configId: string): ReadonlyMap<string, ImportJob> => {
  const { data } = useImportJobs({ page: 0, size: 100 });
  return useMemo(() => {
    const ofArchive = (data?.content ?? []).filter(({ remoteConfigId }) => remoteConfigId === configId);
    // Newest first: what is set last, and stays, is the newest.
    return new Map(ofArchive.toReversed().map((job) => [job.studyInstanceUID, job]));
  }, [data, configId]);
};
