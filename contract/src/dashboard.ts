import { z } from 'zod';
import { criticalSeverities } from './critical-findings.ts';
import { get, stream } from './endpoint.ts';
import { areInOrder, dayInQuery, outOfOrder } from './period.ts';
import { priorities } from './priorities.ts';
import { person } from './report-parts.ts';
import { studyAges } from './study-work-filters.ts';

/** What stands on the dashboard; a caller may ask for some of it. */
export const dashboardParts = ['tiles', 'volume', 'turnaround', 'workload', 'critical', 'ages'] as const;
export type DashboardPart = (typeof dashboardParts)[number];

/** So many: `total`, or more than that, as the list says it that the number opens. */
const count = z.object({ total: z.number(), isMore: z.boolean() });
export type DashboardCount = z.infer<typeof count>;

/** Of all that the caller may know of, and of those assigned to them; null where nothing is assigned to the caller. */
const work = count.extend({ mine: count.nullable() });

/**
 * What is to be done now, whatever the period. Null is what is not the caller's: reports of somebody who writes none, a
 * review of somebody who reviews nothing. Unread is what is pending or assigned, overdue what has an assignment that
 * should have been done by now, unreported what is neither completed nor cancelled.
 */
const tiles = z.object({
  unread: work,
  inProgress: work,
  overdue: work,
  /** For whoever may assign. */
  unassigned: count.nullable(),
  myDrafts: count.nullable(),
  toReview: count.nullable(),
  /** Critical findings that somebody still has to hear of or to confirm. */
  openCritical: count.nullable(),
  /** For those whom only some studies concern: all of these, and their signed reports. */
  myStudies: count.nullable(),
  reportsReady: count.nullable(),
  /** Whether the tenant has any study that the caller may know of. */
  hasStudies: z.boolean(),
});
export type DashboardTiles = z.infer<typeof tiles>;

/**
 * The studies that arrived in the period, by their main modality. A column is a day, a week (from Monday on) or a month,
 * cut to the period; `from` and `to` are its first and last day.
 */
const volume = z.object({
  step: z.enum(['DAY', 'WEEK', 'MONTH']),
  columns: z.array(z.object({ from: z.string(), to: z.string(), counts: z.record(z.string(), z.number()) })),
  /** The most frequent first. */
  modalities: z.array(z.object({ modality: z.string(), total: z.number() })),
});
export type DashboardVolume = z.infer<typeof volume>;

/**
 * Turn-around is the time from a study's arrival in Radwork until its first report was signed, by the priority that the
 * study has now, of the reports signed in the period. Half of the studies took at most p50, nine in ten at most p90.
 * Both are read from a histogram: they are within 5 % of the exact value.
 */
const turnaround = z.array(
  z.object({
    priority: z.enum(priorities),
    count: z.number(),
    p50Minutes: z.number().nullable(),
    p90Minutes: z.number().nullable(),
  }),
);
export type DashboardTurnaround = z.infer<typeof turnaround>;

/** Who signed how many reports in the period, and what is assigned to them now. For administrators. */
const workload = z.array(z.object({ reader: person, signed: z.number(), assigned: z.number() }));
export type DashboardWorkload = z.infer<typeof workload>;

/**
 * Findings that are not settled, now; and those whose time ended in the period, with how many were acknowledged before
 * it did. Those withdrawn count in neither.
 */
const critical = z.object({
  bySeverity: z.array(
    z.object({
      severity: z.enum(criticalSeverities),
      /** Open or communicated, not acknowledged. */
      unsettled: z.number(),
      /** When the time of the first that nobody was told of ends; null without one. */
      nextDueAt: z.string().nullable(),
    }),
  ),
  due: z.number(),
  inTime: z.number(),
});
export type DashboardCritical = z.infer<typeof critical>;

/** What is unreported, by how long ago it arrived. */
const ages = z.array(count.extend({ age: z.enum(studyAges) }));
export type DashboardAges = z.infer<typeof ages>;

/** Days of a period at most. */
export const longestPeriod = 1100;

/** Days in the tenant's time zone, both included, or so many until today. Without any the thirty until today. */
const period = {
  from: dayInQuery,
  to: dayInQuery,
  days: z.coerce.number().int().min(1).max(longestPeriod).optional(),
};

const partsInQuery = z
  .string()
  .optional()
  .transform((text, context) => {
    const asked = text ? text.split(',') : [...dashboardParts];
    const known = dashboardParts.filter((part) => asked.includes(part));
    if (known.length === asked.length) return known;
    context.addIssue({ code: 'custom', message: `Ask for some of ${dashboardParts.join(', ')}` });
    return z.NEVER;
  });

type Days = { from?: string | undefined; to?: string | undefined };

const isShortEnough = ({ from, to }: Days) =>
  !from || (Date.parse(to ?? new Date().toISOString()) - Date.parse(from)) / 86_400_000 < longestPeriod;

const tooLong = { path: ['from'], message: 'Choose at most three years' };

/** The period alone, as the export takes it. */
export const periodQuery = z
  .object(period)
  .refine(({ from, to }) => areInOrder(from, to), outOfOrder('from'))
  .refine(isShortEnough, tooLong);

export const dashboardQuery = z
  .object({ ...period, parts: partsInQuery })
  .refine(({ from, to }) => areInOrder(from, to), outOfOrder('from'))
  .refine(isShortEnough, tooLong);

export const dashboardReply = z.object({
  from: z.string(),
  to: z.string(),
  timeZone: z.string(),
  tiles: tiles.optional(),
  volume: volume.optional(),
  turnaround: turnaround.optional(),
  /** Null for those who do not run the practice. */
  workload: workload.nullable().optional(),
  /** Null for those who read no reports. */
  critical: critical.nullable().optional(),
  ages: ages.optional(),
});
export type Dashboard = z.infer<typeof dashboardReply>;

export const dashboard = {
  read: get('/dashboard', { can: 'dashboard.view', query: dashboardQuery, reply: dashboardReply }),
};

/** All of it as CSV; takes the period as the dashboard does. */
export const dashboardExport = stream('GET', '/api/dashboard/export', 'dashboard.view');
