import { t } from '../core/translate.ts';
import { z } from 'zod';
import { get, post, put, asReading, notAudited, stream } from '../core/endpoint.ts';
import type { Noun } from '../core/noun.ts';
import { outboundMessage } from './outreach.ts';
import { page, pageQuery } from '../core/paging.ts';
import { areInOrder, dayInQuery, outOfOrder } from '../core/period.ts';
import {
  acknowledgmentMethods,
  communicationMethods,
  criticalSeverities,
  escalationSteps,
  severitySynonyms,
  timelinessValues,
} from './critical-finding-states.ts';
import { person } from './report-parts.ts';
import { criticalStates } from '../imaging/study-marks.ts';

/** One attempt to communicate a finding, successful or not. */
export const communication = z.object({
  id: z.string(),
  /** User of the tenant; null for an external recipient, of whom only the name is known. */
  recipient: person.nullable(),
  recipientName: z.string(),
  method: z.enum(communicationMethods),
  wasReached: z.boolean(),
  /** Whether the recipient has read the finding back. */
  hasReadBack: z.boolean(),
  toldAt: z.string(),
  toldBy: person,
  note: z.string(),
  /**
   * Whether the study belonged to another patient at the time of the communication. The recipient was then informed
   * about that patient.
   */
  isOfFormerPatient: z.boolean(),
});
export type Communication = z.infer<typeof communication>;

/** State of a finding when its study moved to another patient. The communication then starts again. */
export const criticalRestart = z.object({
  at: z.string(),
  state: z.enum(criticalStates),
  acknowledgedAt: z.string().nullable(),
  /** User who acknowledged the finding. Null if no one has, or if an external recipient did so by read-back. */
  acknowledgedBy: person.nullable(),
  acknowledgedHow: z.enum(acknowledgmentMethods).nullable(),
});
export type CriticalRestart = z.infer<typeof criticalRestart>;

/** A finding as shown in its report. */
export const criticalFindingSummary = z.object({
  id: z.string(),
  finding: z.string(),
  severity: z.enum(criticalSeverities),
  state: z.enum(criticalStates),
  identifiedBy: person,
  identifiedDateTime: z.string(),
  dueAt: z.string(),
});
export type CriticalFindingSummary = z.infer<typeof criticalFindingSummary>;

/** A finding with its history, its patient and the caller's permissions. */
export const criticalFinding = criticalFindingSummary.extend({
  reportId: z.string(),
  studyId: z.string(),
  patientName: z.string(),
  patientId: z.string(),
  modality: z.string(),
  studyDescription: z.string(),
  studyDate: z.string().nullable(),
  communicatedAt: z.string().nullable(),
  acknowledgedAt: z.string().nullable(),
  acknowledgedBy: person.nullable(),
  acknowledgedHow: z.enum(acknowledgmentMethods).nullable(),
  withdrawnAt: z.string().nullable(),
  withdrawnBy: person.nullable(),
  withdrawnReason: z.string(),
  /** Last escalation step that was reached. */
  escalation: z.enum(escalationSteps).nullable(),
  communications: z.array(communication),
  restarts: z.array(criticalRestart),
  /** Messages about the finding outside the application, oldest first. */
  messages: z.array(outboundMessage),
  canCommunicate: z.boolean(),
  canAcknowledge: z.boolean(),
  /**
   * Whether the caller acknowledges the finding in the report. True for a referring physician once the report is
   * signed.
   */
  canAcknowledgeInReport: z.boolean(),
  canWithdraw: z.boolean(),
});
export type CriticalFinding = z.infer<typeof criticalFinding>;

export const criticalFindingForm = z.object({
  finding: z
    .string({ error: () => t`Finding description is required` })
    .trim()
    .min(1, { error: () => t`Finding description is required` })
    .max(4000, { error: () => t`The description is longer than 4,000 characters` }),
  severity: z.string({ error: () => t`Severity is required` }).transform((text, context) => {
    const severity = severitySynonyms[text.trim().toUpperCase()];
    if (severity) return severity;
    context.addIssue({ code: 'custom', message: t`Severity is required` });
    return z.NEVER;
  }),
});

/** Number of restarts that the caller saw. If it is higher now, the finding belongs to another patient. */
const restarts = z.int().min(0).optional();

export const communicationForm = z
  .object({
    /** ID of a user of the tenant. For an external recipient, `recipientName` is used instead. */
    recipientId: z.uuid({ error: () => t`Recipient is required` }).nullish(),
    recipientName: z
      .string()
      .trim()
      .max(200, { error: () => t`The name is longer than 200 characters` })
      .default(''),
    method: z.enum(communicationMethods, { error: () => t`Method is required` }),
    wasReached: z.boolean().default(true),
    hasReadBack: z.boolean().default(false),
    /** Time of the communication. Default: now. */
    toldAt: z.iso.datetime({ offset: true, error: () => t`Use a date and time in UTC` }).optional(),
    note: z
      .string()
      .trim()
      .max(4000, { error: () => t`The note is longer than 4,000 characters` })
      .default(''),
    restarts,
  })
  .refine(({ recipientId, recipientName }) => Boolean(recipientId) || recipientName !== '', {
    path: ['recipientName'],
    error: () => t`Recipient is required`,
  })
  .refine(({ wasReached, hasReadBack }) => wasReached || !hasReadBack, {
    path: ['hasReadBack'],
    error: () => t`Read-back requires that the recipient was reached`,
  });

export const withdrawalForm = z.object({
  reason: z
    .string({ error: () => t`Reason is required` })
    .trim()
    .min(1, { error: () => t`Reason is required` })
    .max(4000, { error: () => t`The reason is longer than 4,000 characters` }),
  restarts,
});

/** A user who can be informed of a finding. Users concerned with the study come first. */
export const criticalRecipient = person.extend({ isConcerned: z.boolean() });
export type CriticalRecipient = z.infer<typeof criticalRecipient>;

/** Users who are notified when a finding is not communicated in time. Default: the administrators. */
export const criticalContacts = z.object({
  onCall: z.array(person),
  lead: z.array(person),
  candidates: z.array(person),
});
export type CriticalContacts = z.infer<typeof criticalContacts>;

const chosenUsers = z.array(z.uuid()).max(50, { error: () => t`Choose at most 50 users` });

const boardFilters = {
  severity: z.enum(criticalSeverities).optional(),
  state: z.enum(criticalStates).optional(),
  /** Selects findings whose time limit has passed, in any state except withdrawn. */
  timeliness: z.enum(timelinessValues).optional(),
  /** Range of days in which the time limit ends, in the time zone of the tenant. */
  dueFrom: dayInQuery,
  dueTo: dayInQuery,
};

const areDueDaysInOrder = ({ dueFrom, dueTo }: { dueFrom?: string | undefined; dueTo?: string | undefined }) =>
  areInOrder(dueFrom, dueTo);

/** Query of `criticalFindingExport`. */
export const criticalFindingExportQuery = z.object(boardFilters).refine(areDueDaysInOrder, outOfOrder('dueFrom'));

/** Limit of an export. A line at the end says that findings are missing. */
export const mostExportedFindings = 10_000;

/**
 * Exports critical findings as CSV, with formulas escaped. The query is that of `criticalFindings.list`, without the page.
 * It also requires report.view.
 */
export const criticalFindingExport = stream(
  'GET',
  '/api/critical-findings/export',
  'study.export',
  'critical_finding.exportList',
);

export const criticalFindings = {
  /** Returns findings that still need action, the most urgent first. `state` selects others. */
  list: get('/critical-findings', {
    can: 'report.view',
    audited: asReading('critical_finding.search', 'critical_finding'),
    query: z.object({ ...pageQuery, ...boardFilters }).refine(areDueDaysInOrder, outOfOrder('dueFrom')),
    reply: page(criticalFinding),
  }),
  get: get('/critical-findings/:id', {
    can: 'report.view',
    audited: asReading('critical_finding.view', 'critical_finding', 'critical_finding'),
    reply: criticalFinding,
  }),
  ofStudy: get('/studies/:id/critical-findings', {
    can: 'report.view',
    audited: asReading('critical_finding.view', 'study', 'study'),
    reply: z.array(criticalFinding),
  }),
  recipients: get('/critical-findings/:id/recipients', {
    can: 'critical.manage',
    audited: notAudited.noPatient,
    reply: z.array(criticalRecipient),
  }),
  communicate: post('/critical-findings/:id/communications', {
    can: 'critical.manage',
    audited: 'critical_finding.communicate',
    body: communicationForm,
    reply: criticalFinding,
  }),
  /** Acknowledges a finding that was communicated to the caller. */
  acknowledge: post('/critical-findings/:id/acknowledgement', {
    can: 'report.view',
    audited: 'critical_finding.acknowledge',
    reply: criticalFinding,
  }),
  /** Acknowledges a finding in the signed report, for a referring physician, even if it was not communicated before. */
  acknowledgeInReport: post('/critical-findings/:id/acknowledgement-in-report', {
    can: 'report.view',
    audited: 'critical_finding.acknowledge',
    body: z.object({ restarts }),
    reply: criticalFinding,
  }),
  withdraw: post('/critical-findings/:id/withdrawal', {
    can: 'critical.manage',
    audited: 'critical_finding.withdraw',
    body: withdrawalForm,
    reply: criticalFinding,
  }),
  contacts: get('/critical-contacts', { can: 'config.manage', audited: notAudited.noPatient, reply: criticalContacts }),
  saveContacts: put('/critical-contacts', {
    can: 'config.manage',
    audited: 'critical_contacts.save',
    body: z.object({ onCall: chosenUsers, lead: chosenUsers }),
    reply: criticalContacts,
  }),
};

export const noun = {
  calls: [criticalFindings],
  streams: [criticalFindingExport],
  entities: ['critical_finding', 'critical_contacts'],
  actions: {
    'Critical findings': {
      'critical_finding.view': 'Viewed critical finding',
      'critical_finding.search': 'Listed critical findings',
      'critical_finding.exportList': 'Exported list of critical findings',
      'critical_finding.communicate': 'Communicated critical finding',
      'critical_finding.acknowledge': 'Acknowledged critical finding',
      'critical_finding.withdraw': 'Withdrew critical finding',
      'critical_finding.escalate': 'Escalated critical finding',
      'critical_finding.restart': 'Restarted critical finding',
      'critical_contacts.save': 'Edited critical finding contacts',
    },
  },
} as const satisfies Noun;
