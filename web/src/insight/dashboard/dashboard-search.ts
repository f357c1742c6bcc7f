import { t } from '@lingui/core/macro';
import { z } from 'zod';
import { dayInAddress } from '#core/http/search-params.ts';

/** Periods that end today, with their length in days. */
export const periods = { today: 1, '7d': 7, '30d': 30, '90d': 90, year: 365 } as const;
export type NamedPeriod = keyof typeof periods;
export const periodNames = ['today', '7d', '30d', '90d', 'year'] as const satisfies readonly NamedPeriod[];

export const periodLabels: Record<NamedPeriod, string> = {
  today: t`Today`,
  '7d': t`7 days`,
  '30d': t`30 days`,
  '90d': t`90 days`,
  year: t`Year`,
};

/** Period of the dashboard, stored in the address. Dates take precedence over a named period. */
export const dashboardSearch = z.object({
  /** Named period. Default: the last 30 days. */
  period: z.enum(periodNames).optional().catch(undefined),
  from: dayInAddress,
  to: dayInAddress,
});
export type DashboardSearch = z.infer<typeof dashboardSearch>;

/** Converts the period to query parameters of the server. */
export const periodQuery = ({ period = '30d', from, to }: DashboardSearch) =>
  from || to ? { from, to } : { days: periods[period] };
