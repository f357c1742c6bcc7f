import { type UseQueryResult, useQueries } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { Outlines, SegmentSet } from '#reading/viewer/segments/segment-set.ts';
import { outlinesOfMasks } from './mask-outlines.ts';

type Traced = { uid: string; outlines: Outlines };

const together = (answers: UseQueryResult<Traced>[]) => ({
  isPending: answers.some(({ isPending }) => isPending),
  error: answers.find(({ error }) => error)?.error ?? null,
  traced: answers.flatMap(({ data }) => data ?? []),
});

/** Returns segment sets with the outlines of their masks, as far as these are traced. */
export const useTracedSets = (sets: readonly SegmentSet[]) => {
  const { traced, ...state } = useQueries({
    queries: sets
      .filter(({ masks, lack }) => masks !== undefined && lack === '')
      .map((set) => ({
        queryKey: ['viewer', 'mask-outlines', set.sopInstanceUID],
        queryFn: async ({ signal }: { signal: AbortSignal }): Promise<Traced> => ({
          uid: set.sopInstanceUID,
          outlines: await outlinesOfMasks(set, signal),
        }),
        staleTime: Number.POSITIVE_INFINITY,
        gcTime: 60_000,
        structuralSharing: false,
      })),
    combine: together,
  });
  const withOutlines = useMemo(() => {
    const byUid = new Map(traced.map(({ uid, outlines }) => [uid, outlines]));
    return sets.map((set) => {
      const outlines = set.masks && byUid.get(set.sopInstanceUID);
      return outlines ? { ...set, outlines } : set;
    });
  }, [sets, traced]);
  return { ...state, sets: withOutlines };
};
