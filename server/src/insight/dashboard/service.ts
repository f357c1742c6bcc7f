import type { Dashboard, dashboard as endpoints } from '@radwork/contract/insight/dashboard';
import type { Query } from '@radwork/contract/core/endpoint';
import type { Scope } from '#core/access/scope.ts';
import { readFiguresOfFewStudies } from './figures-of-few-studies.ts';
import { ages, tiles } from './current-work.ts';
import { critical, turnaround, volume, workload } from './period-charts.ts';
import { periodOf } from './period.ts';

/** Returns the requested parts of the dashboard, for the studies of which the caller may know. */
export const read = async (
  scope: Scope,
  { parts, ...periodQuery }: Query<typeof endpoints.read>,
): Promise<Dashboard> => {
  const period = periodOf(scope.session, periodQuery);
  const requestedParts = new Set(parts);
  const few = await readFiguresOfFewStudies(scope, period, requestedParts);
  return {
    ...period,
    ...(requestedParts.has('tiles') && { tiles: await tiles(scope, few) }),
    ...(requestedParts.has('volume') && { volume: await volume(scope, period, few) }),
    ...(requestedParts.has('turnaround') && { turnaround: await turnaround(scope, period, few) }),
    ...(requestedParts.has('workload') && { workload: await workload(scope, period) }),
    ...(requestedParts.has('critical') && { critical: await critical(scope, period) }),
    ...(requestedParts.has('ages') && { ages: await ages(scope) }),
  };
};
