import { dashboard, type Dashboard, type DashboardPart } from '@radwork/contract/dashboard';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { pollingQuery } from '#core/api.ts';
import { usePollInterval } from '#core/live.ts';
import { askedPeriod } from './dashboard-search.ts';

const route = getRouteApi('/signed-in/shell/dashboard');

/** How often a part is asked for while nobody tells that something has changed, in milliseconds. */
const pollEvery = 60_000;

/** Of these the period says nothing. */
const isOfNow = new Set<DashboardPart>(['tiles', 'ages']);

/** One part of the dashboard, which comes, fails and is asked again for by itself; the earlier one stays until then. */
export const usePart = (part: DashboardPart, { enabled = true } = {}) => {
  const period = askedPeriod(route.useSearch());
  return useQuery({
    ...pollingQuery(dashboard.read, { query: { ...(!isOfNow.has(part) && period), parts: part } }),
    placeholderData: keepPreviousData,
    refetchInterval: usePollInterval(pollEvery),
    enabled,
  });
};

export type PartQuery = ReturnType<typeof usePart>;
export type Period = Pick<Dashboard, 'from' | 'to'>;
