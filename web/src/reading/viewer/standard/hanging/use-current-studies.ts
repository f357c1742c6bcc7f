import { studies } from '@radwork/contract/imaging/studies';
import type { StudyDetails } from '@radwork/contract/imaging/study-rows';
import { type UseQueryResult, useQueries } from '@tanstack/react-query';
import { call, query, backgroundHeaders } from '#core/http/api.ts';

const byId = (answers: UseQueryResult<StudyDetails>[]): ReadonlyMap<string, StudyDetails> =>
  new Map(answers.flatMap(({ data }) => (data ? [[data.id, data] as const] : [])));

/**
 * Current state of the studies on screen, by ID. Refetches are marked as background requests, so that they do not
 * prolong the session.
 */
export const useCurrentStudies = (ids: readonly string[]): ReadonlyMap<string, StudyDetails> =>
  useQueries({
    queries: ids.map((id) => ({
      ...query(studies.get, { params: { id } }),
      queryFn: ({ signal }: { signal: AbortSignal }): Promise<StudyDetails> =>
        call(studies.get, { params: { id } }, { signal, headers: backgroundHeaders }),
    })),
    combine: byId,
  });
