import { studies, type StudyPage } from '@radwork/contract/imaging/studies';
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useRef } from 'react';
import { query } from '#core/http/api.ts';
import { usePollInterval } from '#core/live/live.ts';
import { pollUntilLockExpiry } from '#core/http/lock-poll-interval.ts';
import { useAuditedQuery } from '#core/http/audited-query.ts';
import type { ListPaging, StudiesSearch } from './studies-search.ts';

export const defaultSize = 10;
/** Order of the studies of a patient. */
export const defaultSort = 'studyDate,desc';
/** First order of the study list: open studies by priority, due time and waiting time, then all others. */
export const firstSort = 'urgency,desc';

/** Polling interval in milliseconds while no change events arrive. */
const pollEvery = 30_000;

/**
 * Fetches the page of studies chosen in the address. The previous page stays visible until the new page arrives. A late
 * response is never shown, because its request was aborted and has another key.
 */
export const useStudies = (search: StudiesSearch) =>
  useQuery({
    ...query(studies.search, { query: searchCallOf(search) }),
    placeholderData: keepPreviousData,
    enabled: search.studyId === undefined,
    refetchInterval: usePollUntilLapse(),
  });

/** Returns the parameters of the search that shows the page in the address. */
export const searchCallOf = ({
  studyId: _studyId,
  savedView: _savedView,
  page = 0,
  size = defaultSize,
  sort = firstSort,
  ...filters
}: StudiesSearch) => ({ ...filters, page, size, sort });

/** Polls like other lists, and also when a reading lock may have expired. */
const usePollUntilLapse = () => {
  const poll = usePollInterval(pollEvery);
  return ({ state: { data } }: { state: { data: StudyPage | undefined } }) =>
    pollUntilLockExpiry(data?.content.map(({ readingBy }) => readingBy) ?? [], poll);
};

/** Fetches a page of one patient's studies. */
export const useStudiesOfPatient = (
  patientId: string,
  { page = 0, size = defaultSize, sort = defaultSort }: ListPaging,
) =>
  useQuery({
    ...query(studies.ofPatient, { params: { id: patientId }, query: { page, size, sort } }),
    placeholderData: keepPreviousData,
  });

/** Fetches the study named in the address, as a page with one row. */
export const useNamedStudy = (studyId: string | undefined) =>
  useQuery({
    ...useAuditedQuery(studies.get, { params: { id: studyId ?? '' } }),
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

/** Time in milliseconds that the pointer must stay on a row before prefetching. */
const dwell = 150;

/** Time in milliseconds for which prefetched data counts as current. */
const freshness = 30_000;

/**
 * Prefetches the series of the row under the pointer, so that the row opens at once. Never fetches the study, because
 * the audit log would record a view.
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
