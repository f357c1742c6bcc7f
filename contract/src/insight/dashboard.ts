import { t } from '../core/translate.ts';
import { z } from 'zod';
import { criticalSeverities } from '../reading/critical-finding-states.ts';
import { get, stream, asReading } from '../core/endpoint.ts';
import type { Noun } from '../core/noun.ts';
import { areInOrder, dayInQuery, outOfOrder } from '../core/period.ts';
import { priorities } from '../core/priorities.ts';
import { person } from '../reading/report-parts.ts';
import { studyAges } from '../imaging/study-work-filters.ts';

/** Parts of the dashboard. Callers may request only some of them. */
export const dashboardParts = ['tiles', 'volume', 'turnaround', 'workload', 'critical', 'ages'] as const;
export type DashboardPart = (typeof dashboardParts)[number];

/** A count of list items. If `isMore` is true, there are more than `total`. */
const count = z.object({ total: z.number(), isMore: z.boolean() });
export type DashboardCount = z.infer<typeof count>;

/**
 * Number of all visible studies, and of the studies assigned to the caller. `mine` is null for callers to whom no
 * studies are assigned.
 */
const work = count.extend({ mine: count.nullable() });

/**
 * Current work, independent of the period. Values that do not apply to the caller are null, such as drafts for a user
 * who writes no reports. Unread: pending or assigned. Overdue: an assignment is past its due date. Unreported: neither
 * completed nor canceled.
 */
const tiles = z.object({
  unread: work,
  inProgress: work,
  overdue: work,
  /** Only for callers who may assign studies. */
  unassigned: count.nullable(),
  myDrafts: count.nullable(),
  toReview: count.nullable(),
  /** Critical findings that are open, or communicated but not acknowledged. */
  openCritical: count.nullable(),
  /** For callers who see only some studies: the numbers of these studies and of their signed reports. */
  myStudies: count.nullable(),
  reportsReady: count.nullable(),
  /** Whether the tenant has a study that the caller may see. */
  hasStudies: z.boolean(),
});
export type DashboardTiles = z.infer<typeof tiles>;

/**
 * Studies that arrived in the period, by main modality. A column is a day, a week (from Monday) or a month, limited to
 * the period. `from` and `to` are its first and last day.
 */
const volume = z.object({
  step: z.enum(['DAY', 'WEEK', 'MONTH']),
  columns: z.array(z.object({ from: z.string(), to: z.string(), counts: z.record(z.string(), z.number()) })),
  /** Modalities, the most frequent first. */
  modalities: z.array(z.object({ modality: z.string(), total: z.number() })),
});
export type DashboardVolume = z.infer<typeof volume>;

/**
 * Time from arrival in Radwork to the first signature, for reports signed in the period, by the current priority of the
 * study. Half of the studies took at most p50, and 90 % at most p90. Both are estimated from a histogram and lie within
 * 5 % of the exact value.
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

/** Number of reports signed in the period, and of current assignments, per reader. For administrators. */
const workload = z.array(z.object({ reader: person, signed: z.number(), assigned: z.number() }));
export type DashboardWorkload = z.infer<typeof workload>;

/**
 * Findings that are not settled at present, and findings whose time limit ended in the period, with the number
 * acknowledged in time. Withdrawn findings are excluded from both.
 */
const critical = z.object({
  bySeverity: z.array(
    z.object({
      severity: z.enum(criticalSeverities),
      /** Number of findings that are open or communicated but not acknowledged. */
      unsettled: z.number(),
      /** Earliest time limit of a finding that was not communicated, or null. */
      nextDueAt: z.string().nullable(),
    }),
  ),
  due: z.number(),
  inTime: z.number(),
});
export type DashboardCritical = z.infer<typeof critical>;

/** Number of studies without a report, by time since arrival. */
const ages = z.array(count.extend({ age: z.enum(studyAges) }));
export type DashboardAges = z.infer<typeof ages>;

/** Longest period, in days. */
export const longestPeriod = 1100;

/**
 * First and last day in the time zone of the tenant, or a number of days until today. Default: the 30 days until today.
 */
const period = {
  from: dayInQuery,
  to: dayInQuery,
  days: z.coerce.number().int().min(1).max(longestPeriod).optional(),
};

const partsInQuery = z
  .string()
  .optional()
  .transform((text, context) => {
    const requested = text ? text.split(',') : [...dashboardParts];
    const known = dashboardParts.filter((part) => requested.includes(part));
    if (known.length === requested.length) return known;
    context.addIssue({ code: 'custom', message: t`Use one or more of: ${dashboardParts.join(', ')}` });
    return z.NEVER;
  });

type Days = { from?: string | undefined; to?: string | undefined };

const isShortEnough = ({ from, to }: Days) =>
  !from || (Date.parse(to ?? new Date().toISOString()) - Date.parse(from)) / 86_400_000 < longestPeriod;

const tooLong = { path: ['from'], error: () => t`Choose at most 3 years` };

/** Query of the export, which has only a period. */
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
  /** Null for callers who do not administer the tenant. */
  workload: workload.nullable().optional(),
  /** Null for callers who may not read reports. */
  critical: critical.nullable().optional(),
  ages: ages.optional(),
});
export type Dashboard = z.infer<typeof dashboardReply>;

export const dashboard = {
  read: get('/dashboard', {
    can: 'dashboard.view',
    audited: asReading('dashboard.view', 'dashboard'),
    query: dashboardQuery,
    reply: dashboardReply,
  }),
};

/** Exports all parts as CSV, for the same period parameters. */
export const dashboardExport = stream('GET', '/api/dashboard/export', 'dashboard.view', 'dashboard.export');

export const noun = {
  calls: [dashboard],
  streams: [dashboardExport],
  entities: ['dashboard'],
  actions: {
    'Users and organization': {
      'dashboard.view': 'Viewed dashboard',
      'dashboard.export': 'Exported dashboard',
    },
  },
} as const satisfies Noun;
