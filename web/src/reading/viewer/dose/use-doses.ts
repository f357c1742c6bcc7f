import type { StudyDetails } from '@radwork/contract/imaging/study-rows';
import { type UseQueryResult, useQueries, useQuery } from '@tanstack/react-query';
import { type SeriesImage, seriesImages } from '#reading/viewer/images/series/series-loader.ts';
import { doseSeries } from './dose-display.ts';
import { factsOf, linkedObjects } from './plan-facts.ts';
import { dosesIn, loadGrid, type Dose } from './read-dose.ts';

const together = (answers: UseQueryResult<SeriesImage[]>[]) => ({
  doses: answers.flatMap(({ data }) => (data ? dosesIn(data) : [])),
  isPending: answers.some(({ isPending }) => isPending),
  error: answers.find(({ error, data }) => error && !data)?.error ?? null,
  retry: () => {
    for (const { error, refetch } of answers) if (error) void refetch();
  },
});

/** Loads the doses of a study, and what they belong to. The chosen dose is the first if the user has chosen none. */
export const useDoses = (study: StudyDetails, chosen: string | undefined) => {
  const results = useQueries({
    queries: doseSeries(study).map(({ seriesInstanceUID }) => seriesImages(study.studyInstanceUID, seriesInstanceUID)),
    combine: together,
  });
  const linked = useQuery(linkedObjects(study));
  const dose = results.doses.find(({ sopInstanceUID }) => sopInstanceUID === chosen) ?? results.doses[0];
  return {
    ...results,
    isPending: results.isPending || linked.isPending,
    error: results.error ?? linked.error,
    retry: () => {
      results.retry();
      if (linked.error) void linked.refetch();
    },
    dose,
    facts: dose && factsOf(dose, linked.data ?? []),
  };
};

/** Loads the values of a dose, once it is shown. */
export const useDoseGrid = (dose: Dose | undefined, isWanted: boolean) =>
  useQuery({
    queryKey: ['viewer', 'dose', dose?.images[0]?.imageId],
    queryFn: ({ signal }) => {
      if (!dose) throw new Error('There is no dose');
      return loadGrid(dose, signal);
    },
    enabled: isWanted && dose !== undefined && dose.lack === '',
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 60_000,
    structuralSharing: false,
  });
