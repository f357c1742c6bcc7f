import { dashboard, type Dashboard, type DashboardPart } from '@radwork/contract/insight/dashboard';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { pollingQuery } from '#core/http/api.ts';
import { usePollInterval } from '#core/live/live.ts';
import { periodQuery } from './dashboard-search.ts';

const route = getRouteApi('/signed-in/shell/dashboard');

/** Poll interval while live events are unavailable, in milliseconds. */
const pollEvery = 60_000;

/** Parts of the dashboard that do not depend on the period. */
const isOfNow = new Set<DashboardPart>(['tiles', 'ages']);

/** Loads one part of the dashboard. The previous data stays visible until the new data arrives. */
export const useDashboardPart = (part: DashboardPart, { enabled = true } = {}) => {
  const period = periodQuery(route.useSearch());
  return useQuery({
    ...pollingQuery(dashboard.read, { query: { ...(!isOfNow.has(part) && period), parts: part } }),
    placeholderData: keepPreviousData,
    refetchInterval: usePollInterval(pollEvery),
    enabled,
  });
};

export type PartQuery = ReturnType<typeof useDashboardPart>;
export type Period = Pick<Dashboard, 'from' | 'to'>;
