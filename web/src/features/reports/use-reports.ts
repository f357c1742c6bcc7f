import { reports } from '@radwork/contract/reports';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { query } from '#core/api.ts';
import { usePollInterval } from '#core/live.ts';
import { defaultSize, defaultSort, type ReportsSearch } from './reports-search.ts';

/** How often the list is asked for while nobody tells that it has changed, in milliseconds. */
const pollEvery = 30_000;

/** The page of reports that an address asks for. The earlier page stays until the new one has arrived. */
export const useReports = ({ reportId, page = 0, size = defaultSize, sort = defaultSort, ...filters }: ReportsSearch) =>
  useQuery({
    ...query(reports.list, { query: { ...filters, page, size, sort } }),
    placeholderData: keepPreviousData,
    enabled: reportId === undefined,
    refetchInterval: usePollInterval(pollEvery),
  });
