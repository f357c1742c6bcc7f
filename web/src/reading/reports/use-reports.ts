import { reports } from '@radwork/contract/reading/reports';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { query } from '#core/http/api.ts';
import { usePollInterval } from '#core/live/live.ts';
import { defaultSize, defaultSort, type ReportsSearch } from './list/reports-search.ts';

/** Polling interval of the list while no live events arrive, in milliseconds. */
const pollEvery = 30_000;

/** Returns the filters of the list, without the parameters of the text search. */
export const listFilters = (
  search: Omit<ReportsSearch, 'reportId' | 'page' | 'size' | 'sort'>,
): Omit<ReportsSearch, 'in' | 'text' | 'reportId' | 'page' | 'size' | 'sort'> => {
  const { in: _, text: __, ...filters } = search;
  return filters;
};

/** The page of reports chosen in the address. The previous page stays visible until the new page arrives. */
export const useReports = ({ reportId, page = 0, size = defaultSize, sort = defaultSort, ...search }: ReportsSearch) =>
  useQuery({
    ...query(reports.list, { query: { ...listFilters(search), page, size, sort } }),
    placeholderData: keepPreviousData,
    enabled: reportId === undefined,
    refetchInterval: usePollInterval(pollEvery),
  });
