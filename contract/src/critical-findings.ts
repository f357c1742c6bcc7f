import { z } from 'zod';
import { get, post, put } from './endpoint.ts';
import type { Moves } from './moves.ts';
import { outboundMessage } from './outreach.ts';
import { page, pageQuery } from './paging.ts';
import { areInOrder, dayInQuery, outOfOrder } from './period.ts';
import { person } from './report-parts.ts';

/** ACR categories 1 to 3: communicate within minutes, hours, days. */
export const criticalSeverities = ['CRITICAL', 'URGENT', 'SIGNIFICANT'] as const;
export type CriticalSeverity = (typeof criticalSeverities)[number];

/** How soon somebody has to be told. The tenant's clocks say it in minutes. */
export const severityLabels: Record<CriticalSeverity, string> = {
  CRITICAL: 'Critical: within minutes',
  URGENT: 'Urgent: within hours',
  SIGNIFICANT: 'Significant: within days',
};

const severitySynonyms: Record<string, CriticalSeverity> = {
  CRITICAL: 'CRITICAL',
  URGENT: 'URGENT',
  HIGH: 'URGENT',
  SIGNIFICANT: 'SIGNIFICANT',
  MEDIUM: 'SIGNIFICANT',
  LOW: 'SIGNIFICANT',
};

/** A finding is open until somebody was reached, and settled when they have confirmed it. */
export const criticalStates = ['OPEN', 'COMMUNICATED', 'ACKNOWLEDGED', 'WITHDRAWN'] as const;
export type CriticalState = (typeof criticalStates)[number];

/** Somebody outside who repeats what they were told has confirmed it at once, and so comes from OPEN to ACKNOWLEDGED. */
export const criticalMoves: Moves<CriticalState> = {
  OPEN: ['COMMUNICATED', 'ACKNOWLEDGED', 'WITHDRAWN'],
  COMMUNICATED: ['ACKNOWLEDGED', 'WITHDRAWN'],
  ACKNOWLEDGED: ['WITHDRAWN'],
  WITHDRAWN: [],
};

export const criticalStateLabels: Record<CriticalState, string> = {
  OPEN: 'Not communicated',
  COMMUNICATED: 'Communicated, not confirmed',
  ACKNOWLEDGED: 'Acknowledged',
  WITHDRAWN: 'Withdrawn',
};

/** Whether a finding was acknowledged before its time ended. */
export const timelinesses = ['IN_TIME', 'LATE', 'EITHER'] as const;
export type Timeliness = (typeof timelinesses)[number];

export const timelinessLabels: Record<Timeliness, string> = {
  IN_TIME: 'Acknowledged in time',
  LATE: 'Not acknowledged in time',
  EITHER: 'Time has ended',
};

/** The states of a finding about which somebody still has to do something. */
export const unsettledStates: readonly CriticalState[] = ['OPEN', 'COMMUNICATED'];

export const communicationMethods = ['PHONE', 'IN_PERSON', 'SECURE_MESSAGE', 'OTHER'] as const;
export type CommunicationMethod = (typeof communicationMethods)[number];

export const communicationMethodLabels: Record<CommunicationMethod, string> = {
  PHONE: 'Phone',
  IN_PERSON: 'In person',
  SECURE_MESSAGE: 'Secure message',
  OTHER: 'Other',
};

/**
 * Who hears of a finding that nobody was told of: the reader when a third of the time is left, who is on call when it
 * has passed, and who leads a third later (D-30).
 */
export const escalationSteps = ['READER', 'ON_CALL', 'LEAD'] as const;
export type EscalationStep = (typeof escalationSteps)[number];

export const escalationLabels: Record<EscalationStep, string> = {
  READER: 'Reader reminded',
  ON_CALL: 'On-call told',
  LEAD: 'Lead told',
};

/** How a finding was acknowledged: by the person outside who repeated it, by a user who was told, or in the signed report. */
export const acknowledgementWays = ['READ_BACK', 'TOLD', 'REPORT'] as const;
export type AcknowledgementWay = (typeof acknowledgementWays)[number];

/** One attempt to tell somebody, whether or not they were reached. */
export const communication = z.object({
  id: z.string(),
  /** A user of the tenant; null for somebody outside, of whom only the name is known. */
  recipient: person.nullable(),
  recipientName: z.string(),
  method: z.enum(communicationMethods),
  wasReached: z.boolean(),
  /** Whether the recipient repeated what they had heard. */
  hasReadBack: z.boolean(),
  toldAt: z.string(),
  toldBy: person,
  note: z.string(),
  /** Whether the study was of another patient then: they have heard of somebody else. */
  isOfFormerPatient: z.boolean(),
});
export type Communication = z.infer<typeof communication>;

/** How far a finding was when its study was filed under another patient, and all began again. */
export const criticalRestart = z.object({
  at: z.string(),
  state: z.enum(criticalStates),
  acknowledgedAt: z.string().nullable(),
  /** Null also for somebody outside, who confirmed by repeating what they heard. */
  acknowledgedBy: person.nullable(),
  acknowledgedHow: z.enum(acknowledgementWays).nullable(),
});
export type CriticalRestart = z.infer<typeof criticalRestart>;

/** A finding as its report tells of it. */
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

/** A finding with all that was done about it, whose it is, and what the caller may do. */
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
  acknowledgedHow: z.enum(acknowledgementWays).nullable(),
  withdrawnAt: z.string().nullable(),
  withdrawnBy: person.nullable(),
  withdrawnReason: z.string(),
  /** The last step of the ladder that was taken. */
  escalation: z.enum(escalationSteps).nullable(),
  communications: z.array(communication),
  restarts: z.array(criticalRestart),
  /** Messages outside the application about it, the earliest first. */
  messages: z.array(outboundMessage),
  canCommunicate: z.boolean(),
  canAcknowledge: z.boolean(),
  /** Whether the caller treats the patient and the report is signed: they acknowledge the finding in the report. */
  canAcknowledgeInReport: z.boolean(),
  canWithdraw: z.boolean(),
});
export type CriticalFinding = z.infer<typeof criticalFinding>;

export const criticalFindingForm = z.object({
  finding: z
    .string('Finding description is required')
    .trim()
    .min(1, 'Finding description is required')
    .max(4000, 'The description is longer than 4,000 characters'),
  severity: z.string('Severity is required').transform((text, context) => {
    const severity = severitySynonyms[text.trim().toUpperCase()];
    if (severity) return severity;
    context.addIssue({ code: 'custom', message: 'Severity is required' });
    return z.NEVER;
  }),
});

/** How often a finding had begun again when somebody looked at it: once more, and it is about another patient now. */
const restarts = z.int().min(0).optional();

export const communicationForm = z
  .object({
    /** A user of the tenant; without one, `recipientName` says who outside was told. */
    recipientId: z.uuid('Recipient is required').nullish(),
    recipientName: z.string().trim().max(200, 'The name is longer than 200 characters').default(''),
    method: z.enum(communicationMethods, 'Method is required'),
    wasReached: z.boolean().default(true),
    hasReadBack: z.boolean().default(false),
    /** When; now, unless it is said. */
    toldAt: z.iso.datetime({ offset: true, error: 'Use a date and time in UTC' }).optional(),
    note: z.string().trim().max(4000, 'The note is longer than 4,000 characters').default(''),
    restarts,
  })
  .refine(({ recipientId, recipientName }) => Boolean(recipientId) || recipientName !== '', {
    path: ['recipientName'],
    message: 'Recipient is required',
  })
  .refine(({ wasReached, hasReadBack }) => wasReached || !hasReadBack, {
    path: ['hasReadBack'],
    message: 'Only somebody who was reached can read back',
  });

export const withdrawalForm = z.object({
  reason: z
    .string('Reason is required')
    .trim()
    .min(1, 'Reason is required')
    .max(4000, 'The reason is longer than 4,000 characters'),
  restarts,
});

/** Somebody who can be told of a finding, those whom the study concerns first. */
export const criticalRecipient = person.extend({ isConcerned: z.boolean() });
export type CriticalRecipient = z.infer<typeof criticalRecipient>;

/** Who is told when nobody communicates a finding; with nobody chosen, the administrators are. */
export const criticalContacts = z.object({
  onCall: z.array(person),
  lead: z.array(person),
  candidates: z.array(person),
});
export type CriticalContacts = z.infer<typeof criticalContacts>;

const chosenUsers = z.array(z.uuid()).max(50, 'No more than 50 people');

export const criticalFindings = {
  /** Those that somebody still has to do something about, the most pressing first; `state` asks for others. */
  list: get('/critical-findings', {
    can: 'report.view',
    query: z
      .object({
        ...pageQuery,
        severity: z.enum(criticalSeverities).optional(),
        state: z.enum(criticalStates).optional(),
        /** Of those whose time has ended, whatever their state, but for those withdrawn. */
        timeliness: z.enum(timelinesses).optional(),
        /** Days on which their time ended, in the tenant's time zone. */
        dueFrom: dayInQuery,
        dueTo: dayInQuery,
      })
      .refine(({ dueFrom, dueTo }) => areInOrder(dueFrom, dueTo), outOfOrder('dueFrom')),
    reply: page(criticalFinding),
  }),
  get: get('/critical-findings/:id', { can: 'report.view', reply: criticalFinding }),
  ofStudy: get('/studies/:id/critical-findings', { can: 'report.view', reply: z.array(criticalFinding) }),
  recipients: get('/critical-findings/:id/recipients', { can: 'critical.manage', reply: z.array(criticalRecipient) }),
  communicate: post('/critical-findings/:id/communications', {
    can: 'critical.manage',
    body: communicationForm,
    reply: criticalFinding,
  }),
  /** For a user whom the finding was communicated to. */
  acknowledge: post('/critical-findings/:id/acknowledgement', { can: 'report.view', reply: criticalFinding }),
  /** For a referring physician who reads the signed report, told before or not. */
  acknowledgeInReport: post('/critical-findings/:id/acknowledgement-in-report', {
    can: 'report.view',
    body: z.object({ restarts }),
    reply: criticalFinding,
  }),
  withdraw: post('/critical-findings/:id/withdrawal', {
    can: 'critical.manage',
    body: withdrawalForm,
    reply: criticalFinding,
  }),
  contacts: get('/critical-contacts', { can: 'config.manage', reply: criticalContacts }),
  saveContacts: put('/critical-contacts', {
    can: 'config.manage',
    body: z.object({ onCall: chosenUsers, lead: chosenUsers }),
    reply: criticalContacts,
  }),
};
