import { type ImportJob, importJobs, isActive } from '@radwork/contract/import-jobs';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { pollingQuery } from '#core/api.ts';

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

/** One job with what did not come, kept up to date until it has ended. */
export const useImportJob = (id: string) =>
  useQuery({
    ...pollingQuery(importJobs.read, { params: { id } }),
    refetchInterval: ({ state: { data } }) => (data && isActive(data.state) ? whileActive : false),
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
