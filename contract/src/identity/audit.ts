import { auditOutcomes } from './audit-outcomes.ts';
import { t } from '../core/translate.ts';
import { z } from 'zod';
import { areDaysInOrder, dayFilter, daysOutOfOrder } from '../core/day-filter.ts';
import { get, post, stream, asReading, notAudited } from '../core/endpoint.ts';
import type { Noun } from '../core/noun.ts';

/** Number of entries that page numbers can reach. For older entries, use `before`. */
export const mostPagedEntries = 10_000;

/** Maximum number of entries in one export. */
export const mostExportedEntries = 100_000;

/** Position in the list: time in microseconds and number of an entry. */
const cursor = z
  .string()
  .regex(/^\d{1,20}_\d{1,19}$/, { error: () => t`Use the value of "older" from a response` })
  .optional();

const words = (most: number) => z.string().trim().max(most).optional();

const filters = {
  from: dayFilter,
  to: dayFilter,
  /** ID of a user, or the username as recorded in the entries. */
  user: words(200),
  action: words(80),
  entity: words(40),
  entityId: words(200),
  patient: z.uuid({ error: () => t`Use a patient id` }).optional(),
  study: z.uuid({ error: () => t`Use a study id` }).optional(),
  outcome: z.enum(auditOutcomes).optional(),
  ip: words(64),
};

const inOrder = ({ from, to }: { from?: string | undefined; to?: string | undefined }) =>
  areDaysInOrder({ startDate: from, endDate: to });
const outOfOrder = { ...daysOutOfOrder, path: ['from'] };

export const auditFilters = z.object(filters).refine(inOrder, outOfOrder);
export type AuditFilters = z.infer<typeof auditFilters>;

export const auditSearch = z
  .object({
    ...filters,
    before: cursor,
    page: z.coerce.number().int().min(0).default(0),
    size: z.coerce
      .number()
      .int()
      .min(1)
      .default(25)
      .transform((size) => Math.min(size, 200)),
  })
  .refine(inOrder, outOfOrder)
  .refine(({ page, size }) => page * size < mostPagedEntries, {
    path: ['page'],
    error: () => t`Page numbers end at 10,000 entries. Use "older", or choose fewer days.`,
  });

/** Object to which an entry refers. It has a name only while it exists and the caller may see it. */
const subject = z.object({
  id: z.string(),
  name: z.string().nullable(),
  state: z.enum(['THERE', 'DELETED', 'HIDDEN']),
});
export type AuditSubject = z.infer<typeof subject>;

export const auditEntry = z.object({
  id: z.string(),
  time: z.string(),
  user: z.object({ id: z.string().nullable(), username: z.string(), userType: z.string().nullable() }),
  tenant: z.string(),
  action: z.string(),
  entity: z.string(),
  entityId: z.string(),
  patient: subject.nullable(),
  study: subject.nullable(),
  outcome: z.enum(auditOutcomes),
  ip: z.string(),
  detail: z.record(z.string(), z.unknown()),
  /** Position and link (SHA-256) in the chain. Null until the entry is sealed, within about a second. */
  position: z.number().nullable(),
  seal: z.string().nullable(),
});
export type AuditEntry = z.infer<typeof auditEntry>;

/**
 * Entries, newest first. Each call searches a limited number of entries, so a page may not be full. `older` is the
 * cursor for the next page; null at the end. `lookedBackTo` is the time of the oldest entry searched.
 */
export const auditPage = z.object({
  content: z.array(auditEntry),
  number: z.number(),
  size: z.number(),
  older: z.string().nullable(),
  lookedBackTo: z.string().nullable(),
});
export type AuditPage = z.infer<typeof auditPage>;

/** Faults that a verification of the chain can find. */
export const auditFaultKinds = [
  'CHANGED',
  'REMOVED',
  'MISSING',
  'TIME',
  'CUT',
  'HEAD',
  'OUTSIDE',
  'UNSEALED',
  'ANCHOR',
] as const;

export const auditFault = z.object({
  kind: z.enum(auditFaultKinds),
  /** Position in the chain; null if the fault has none. */
  position: z.number().nullable(),
  entryId: z.string().nullable(),
  words: z.string(),
});
export type AuditFault = z.infer<typeof auditFault>;

/** Maximum number of faults that a result lists. */
export const maxReportedFaults = 100;

export const auditVerdict = z.object({
  isIntact: z.boolean(),
  /** Summary for the user, with the first position that has a fault. */
  words: z.string(),
  checked: z.number(),
  /** Number of chain values stored outside the database and compared with the chain. */
  anchors: z.number(),
  faultCount: z.number(),
  faults: z.array(auditFault),
  head: z.object({ position: z.number(), seal: z.string() }),
});
export type AuditVerdict = z.infer<typeof auditVerdict>;

/** Stages of a verification: first the chain from first to last link, then a search for entries outside the chain. */
export const verifyStages = ['CHAIN', 'ENTRIES'] as const;

const verifyProgress = z.object({ stage: z.enum(verifyStages), checked: z.number(), of: z.number() });
export type VerifyProgress = z.infer<typeof verifyProgress>;

/** Returns the progress over all stages, from 0 to 1. */
export const partVerified = ({ stage, checked, of }: VerifyProgress): number =>
  (verifyStages.indexOf(stage) + (of > 0 ? checked / of : 1)) / verifyStages.length;

export const verifyEvent = z.discriminatedUnion('kind', [
  verifyProgress.extend({ kind: z.literal('progress') }),
  z.object({ kind: z.literal('done'), verdict: auditVerdict }),
  z.object({ kind: z.literal('failed'), message: z.string() }),
]);
export type VerifyEvent = z.infer<typeof verifyEvent>;

export const auditPerson = z.object({ id: z.string(), name: z.string(), username: z.string() });
export type AuditPerson = z.infer<typeof auditPerson>;

export const audit = {
  list: get('/audit', {
    can: 'audit.view',
    audited: asReading('audit.search', 'audit'),
    query: auditSearch,
    reply: auditPage,
  }),
  /** Users of the tenant whose name or username contains the text. Matches at the start come first. */
  people: get('/audit/people', {
    can: 'audit.view',
    audited: notAudited.noPatient,
    query: z.object({ q: z.string().trim().max(200).default('') }),
    reply: z.array(auditPerson),
  }),
  /** Verifies the whole chain. With `stream`, sends progress as events (`verifyEvent`). */
  verify: post('/audit/verify', {
    can: 'audit.view',
    audited: 'audit.verify',
    query: z.object({ stream: z.literal('1').optional() }),
    reply: auditVerdict,
  }),
};

export const auditExportFormats = ['csv', 'fhir'] as const;
export const auditExportQuery = z
  .object({ ...filters, format: z.enum(auditExportFormats).default('csv') })
  .refine(inOrder, outOfOrder);

/** Exports the entries of a search as CSV or as a FHIR R4 Bundle of AuditEvents. */
export const auditExport = stream('GET', '/api/audit/export', 'audit.view', 'audit.export');

export const noun = {
  calls: [audit],
  streams: [auditExport],
  entities: ['audit', 'access'],
  actions: {
    'Sign-in and permissions': {
      'access.refuse': 'Access denied',
      'access.miss': 'Requested a missing record',
    },
    Audit: {
      'audit.search': 'Searched audit log',
      'audit.verify': 'Verified audit log',
      'audit.export': 'Exported audit log',
    },
  },
} as const satisfies Noun;
