import type { SeriesSummary, StudyDetails } from '@radwork/contract/imaging/study-rows';
import { type UseQueryResult, useQueries } from '@tanstack/react-query';
import { segmentSets } from './load-sets.ts';
import type { SegmentSet } from './segment-set.ts';

/** Segment sets of a study that are loaded so far. */
export type Sets = { isPending: boolean; error: Error | null; sets: readonly SegmentSet[]; retry: () => void };

const together = (answers: UseQueryResult<SegmentSet[]>[]): Sets => ({
  isPending: answers.some(({ isPending }) => isPending),
  error: answers.find(({ error, data }) => error && !data)?.error ?? null,
  sets: answers.flatMap(({ data }) => data ?? []),
  retry: () => {
    for (const answer of answers) if (answer.error) void answer.refetch();
  },
});

export const useSegmentSets = (study: StudyDetails, series: readonly SeriesSummary[]): Sets =>
  useQueries({ queries: series.map((one) => segmentSets(study, one)), combine: together });
