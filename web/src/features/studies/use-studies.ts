import { studies, type StudyPage } from '@radwork/contract/studies';
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useRef } from 'react';
import { query } from '#core/api.ts';
import { usePollInterval } from '#core/live.ts';
import { untilLapse } from '#core/until-lapse.ts';
import { useLook } from '#core/use-look.ts';
import type { ListPaging, StudiesSearch } from './studies-search.ts';

export const defaultSize = 10;
export const defaultSort = 'studyDate,desc';

/** How often the list is asked for while nobody tells that it has changed, in milliseconds. */
const pollEvery = 30_000;

/**
 * The page of studies that an address asks for. The earlier page stays until the new one has arrived, and an answer
 * that comes late is not shown: its request was aborted, and it belongs to another key.
 */
export const useStudies = ({ studyId, page = 0, size = defaultSize, sort = defaultSort, ...filters }: StudiesSearch) =>
  useQuery({
    ...query(studies.search, { query: { ...filters, page, size, sort } }),
    placeholderData: keepPreviousData,
    enabled: studyId === undefined,
    refetchInterval: usePollUntilLapse(),
  });

/** As often as the list polls, and when who reads one of its studies may have gone. */
const usePollUntilLapse = () => {
  const poll = usePollInterval(pollEvery);
  return ({ state: { data } }: { state: { data: StudyPage | undefined } }) =>
    untilLapse(data?.content.map(({ readingBy }) => readingBy) ?? [], poll);
};

/** A page of one patient's studies. */
export const useStudiesOfPatient = (
  patientId: string,
  { page = 0, size = defaultSize, sort = defaultSort }: ListPaging,
) =>
  useQuery({
    ...query(studies.ofPatient, { params: { id: patientId }, query: { page, size, sort } }),
    placeholderData: keepPreviousData,
  });

/** The one study that an address names, as if it were a page of the list. */
export const useNamedStudy = (studyId: string | undefined) =>
  useQuery({
    ...useLook(studies.get, { params: { id: studyId ?? '' } }),
    enabled: studyId !== undefined,
    select: (study) => ({
      content: [study],
      totalElements: 1,
      totalPages: 1,
      isTotalExact: true,
      number: 0,
      size: 1,
    }),
  });

/** How long somebody stays at a row before what it opens is fetched, in milliseconds; passing over it fetches nothing. */
const dwell = 150;

/** How long what was fetched ahead counts as new, in milliseconds. */
const freshness = 30_000;

/**
 * Fetches the series of the study that somebody points at, so that its row opens at once. Only the series: fetching
 * the study itself would put "viewed" into the audit trail of a study that nobody has looked at.
 */
export const usePrefetching = () => {
  const client = useQueryClient();
  const approached = useRef<{ id: string; timer: number }>(undefined);
  useEffect(() => () => window.clearTimeout(approached.current?.timer), []);
  return useCallback(
    ({ id }: { id: string }) => {
      if (approached.current?.id === id) return;
      window.clearTimeout(approached.current?.timer);
      const fetchAhead = () =>
        void client.prefetchQuery({ ...query(studies.series, { params: { id } }), staleTime: freshness });
      approached.current = { id, timer: window.setTimeout(fetchAhead, dwell) };
    },
    [client],
  );
};
