import { z } from 'zod';
import { dayInAddress } from '#core/list-address.ts';

/** Periods that end today, by how many days they have. */
export const periods = { today: 1, '7d': 7, '30d': 30, '90d': 90, year: 365 } as const;
export type NamedPeriod = keyof typeof periods;
export const periodNames = ['today', '7d', '30d', '90d', 'year'] as const satisfies readonly NamedPeriod[];

export const periodLabels: Record<NamedPeriod, string> = {
  today: 'Today',
  '7d': '7 days',
  '30d': '30 days',
  '90d': '90 days',
  year: 'Year',
};

/** What the address of the dashboard may say. Days of its own go before a named period. */
export const dashboardSearch = z.object({
  /** The last 30 days where it is left out. */
  period: z.enum(periodNames).optional().catch(undefined),
  from: dayInAddress,
  to: dayInAddress,
});
export type DashboardSearch = z.infer<typeof dashboardSearch>;

/** The period as the server is asked for it. */
export const askedPeriod = ({ period = '30d', from, to }: DashboardSearch) =>
  from || to ? { from, to } : { days: periods[period] };
