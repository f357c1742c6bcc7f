import type { Dashboard, dashboard as endpoints } from '@radwork/contract/insight/dashboard';
import type { Query } from '@radwork/contract/core/endpoint';
import type { Scope } from '#core/access/scope.ts';
import { readFiguresOfFewStudies } from './figures-of-few-studies.ts';
import { ages, tiles } from './current-work.ts';
import { critical, turnaround, volume, workload } from './period-charts.ts';
import { periodOf } from './period.ts';

/** Returns the requested parts of the dashboard, for the studies of which the caller may know. */
export const read = async (scope: Scope, { parts, ...ask }: Query<typeof endpoints.read>): Promise<Dashboard> => {
  const period = periodOf(scope.session, ask);
  const isAsked = new Set(parts);
  const few = await readFiguresOfFewStudies(scope, period, isAsked);
  return {
    ...period,
    ...(isAsked.has('tiles') && { tiles: await tiles(scope, few) }),
    ...(isAsked.has('volume') && { volume: await volume(scope, period, few) }),
    ...(isAsked.has('turnaround') && { turnaround: await turnaround(scope, period, few) }),
    ...(isAsked.has('workload') && { workload: await workload(scope, period) }),
    ...(isAsked.has('critical') && { critical: await critical(scope, period) }),
    ...(isAsked.has('ages') && { ages: await ages(scope) }),
  };
};
