import { z } from 'zod';
import { areDaysInOrder, dayFilter, daysOutOfOrder } from './day-filter.ts';
import { get, post, stream } from './endpoint.ts';

export const auditOutcomes = ['SUCCESS', 'FAILURE'] as const;

/** Pages by number reach so deep; beyond, one asks for what is older than an entry. */
export const mostPagedEntries = 10_000;

/** What one export holds at most. */
export const mostExportedEntries = 100_000;

/** An entry's place in the list: its time, to the microsecond, and its number. */
const cursor = z
  .string()
  .regex(/^\d{1,20}_\d{1,19}$/, 'Use what "older" of an answer says')
  .optional();

const words = (most: number) => z.string().trim().max(most).optional();

const filters = {
  from: dayFilter,
  to: dayFilter,
  /** A user's id, or the name that stands in the entries. */
  user: words(200),
  action: words(80),
  entity: words(40),
  entityId: words(200),
  patient: z.uuid('Use the id of a patient').optional(),
  study: z.uuid('Use the id of a study').optional(),
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
    message: 'Pages by number end at 10,000 entries: ask for those before an entry, or for fewer days',
  });

/** Somebody or something an entry is about: by name as long as it is there and the reader may know of it. */
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
  /** The entry's place in the chain, and its link (SHA-256); null until it is sealed, within a second or so. */
  position: z.number().nullable(),
  seal: z.string().nullable(),
});
export type AuditEntry = z.infer<typeof auditEntry>;

/**
 * Entries, newest first. An answer looks at a bounded number of entries and so may end before it is full: `older` is
 * where to go on, `lookedBackTo` how far it came; `older` is null when there is nothing more.
 */
export const auditPage = z.object({
  content: z.array(auditEntry),
  number: z.number(),
  size: z.number(),
  older: z.string().nullable(),
  lookedBackTo: z.string().nullable(),
});
export type AuditPage = z.infer<typeof auditPage>;

/** What is wrong with a chain, each as somebody would find it. */
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
  /** Where in the chain; null for what has no place in it. */
  position: z.number().nullable(),
  entryId: z.string().nullable(),
  words: z.string(),
});
export type AuditFault = z.infer<typeof auditFault>;

/** No more are told one by one. */
export const mostToldFaults = 100;

export const auditVerdict = z.object({
  isIntact: z.boolean(),
  /** In words, with the first position that is wrong. */
  words: z.string(),
  checked: z.number(),
  /** Heads kept outside of the database that the chain was compared with. */
  anchors: z.number(),
  faultCount: z.number(),
  faults: z.array(auditFault),
  head: z.object({ position: z.number(), seal: z.string() }),
});
export type AuditVerdict = z.infer<typeof auditVerdict>;

/** First the chain is followed from its first link to its last, then entries are looked for that are outside of it. */
export const verifyStages = ['CHAIN', 'ENTRIES'] as const;

const verifyProgress = z.object({ stage: z.enum(verifyStages), checked: z.number(), of: z.number() });
export type VerifyProgress = z.infer<typeof verifyProgress>;

/** How far a verification is, of all its stages together: from 0 to 1. */
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
  list: get('/audit', { can: 'audit.view', query: auditSearch, reply: auditPage }),
  /** Who may be asked for: users of the tenant whose name or user name begins with, or holds, these words. */
  people: get('/audit/people', {
    can: 'audit.view',
    query: z.object({ q: z.string().trim().max(200).default('') }),
    reply: z.array(auditPerson),
  }),
  /** Checks the whole chain; with `stream` it tells as events how far it is (`verifyEvent`). */
  verify: post('/audit/verify', {
    can: 'audit.view',
    query: z.object({ stream: z.literal('1').optional() }),
    reply: auditVerdict,
  }),
};

export const auditExportFormats = ['csv', 'fhir'] as const;
export const auditExportQuery = z
  .object({ ...filters, format: z.enum(auditExportFormats).default('csv') })
  .refine(inOrder, outOfOrder);

/** The entries of a search as a file: CSV, or a FHIR R4 Bundle of AuditEvents. */
export const auditExport = stream('GET', '/api/audit/export', 'audit.view');
