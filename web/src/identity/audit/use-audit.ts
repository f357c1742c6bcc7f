import { audit, type AuditPage } from '@radwork/contract/identity/audit';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { call } from '#core/http/api.ts';
import { type AuditSearchInAddress, filtersOf } from './audit-search.ts';

const size = 50;

/**
 * Loads the entries that match the filters in the address, newest first. One response covers a limited part of the
 * audit log. Requests further parts until the page is full or the user stops.
 */
export const useAudit = (search: AuditSearchInAddress) => {
  const filters = filtersOf(search);
  const key = JSON.stringify(filters);
  const [stoppedAt, setStoppedAt] = useState<string>();
  const [wanted, setWanted] = useState({ key, count: size });
  const result = useInfiniteQuery({
    queryKey: ['audit', 'entries', filters],
    queryFn: ({ pageParam, signal }) =>
      call(audit.list, { query: { ...filters, size, ...(pageParam && { before: pageParam }) } }, { signal }),
    initialPageParam: '',
    getNextPageParam: (last: AuditPage) => last.older ?? undefined,
  });
  const entries = result.data?.pages.flatMap(({ content }) => content);
  const count = wanted.key === key ? wanted.count : size;
  const isStopped = stoppedAt === key;
  const { hasNextPage, isFetching, isError, fetchNextPage } = result;
  const isLookingOn = hasNextPage && !isError && !isStopped && entries !== undefined && entries.length < count;
  const pageCount = result.data?.pages.length;
  // `isFetching` may be the same as before when a response was fast, so the effect also depends on `pageCount`.
  useEffect(() => {
    if (isLookingOn && !isFetching) void fetchNextPage();
  }, [isLookingOn, isFetching, pageCount, fetchNextPage]);
  return {
    ...result,
    entries,
    isLookingOn,
    lookedBackTo: result.data?.pages.at(-1)?.lookedBackTo ?? null,
    stop: () => setStoppedAt(key),
    showOlder: () => {
      setStoppedAt(undefined);
      setWanted({ key, count: (entries?.length ?? 0) + size });
    },
  };
};
