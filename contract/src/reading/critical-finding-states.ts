import type { Moves } from '../core/moves.ts';
import { translated } from '../core/translate.ts';
import type { CriticalState } from '../imaging/study-marks.ts';

/** ACR categories 1 to 3: the finding must be communicated within minutes, hours or days. */
export const criticalSeverities = ['CRITICAL', 'URGENT', 'SIGNIFICANT'] as const;
export type CriticalSeverity = (typeof criticalSeverities)[number];

/** Labels with the usual time limit. The settings of the tenant give the limits in minutes. */
export const severityLabels: Record<CriticalSeverity, string> = translated({
  CRITICAL: 'Critical: within minutes',
  URGENT: 'Urgent: within hours',
  SIGNIFICANT: 'Significant: within days',
});

export const severitySynonyms: Record<string, CriticalSeverity> = {
  CRITICAL: 'CRITICAL',
  URGENT: 'URGENT',
  HIGH: 'URGENT',
  SIGNIFICANT: 'SIGNIFICANT',
  MEDIUM: 'SIGNIFICANT',
  LOW: 'SIGNIFICANT',
};

/** A read-back by an external recipient counts as acknowledgment, so OPEN can become ACKNOWLEDGED. */
export const criticalMoves: Moves<CriticalState> = {
  OPEN: ['COMMUNICATED', 'ACKNOWLEDGED', 'WITHDRAWN'],
  COMMUNICATED: ['ACKNOWLEDGED', 'WITHDRAWN'],
  ACKNOWLEDGED: ['WITHDRAWN'],
  WITHDRAWN: [],
};

export const criticalStateLabels: Record<CriticalState, string> = translated({
  OPEN: 'Not communicated',
  COMMUNICATED: 'Communicated, not acknowledged',
  ACKNOWLEDGED: 'Acknowledged',
  WITHDRAWN: 'Withdrawn',
});

/** Whether a finding was acknowledged within its time limit. */
export const timelinessValues = ['IN_TIME', 'LATE', 'EITHER'] as const;
export type Timeliness = (typeof timelinessValues)[number];

export const timelinessLabels: Record<Timeliness, string> = translated({
  IN_TIME: 'Acknowledged in time',
  LATE: 'Not acknowledged in time',
  EITHER: 'Deadline passed',
});

/** States in which a user still has to act. */
export const unsettledStates: readonly CriticalState[] = ['OPEN', 'COMMUNICATED'];

export const communicationMethods = ['PHONE', 'IN_PERSON', 'SECURE_MESSAGE', 'OTHER'] as const;
export type CommunicationMethod = (typeof communicationMethods)[number];

export const communicationMethodLabels: Record<CommunicationMethod, string> = translated({
  PHONE: 'Phone',
  IN_PERSON: 'In person',
  SECURE_MESSAGE: 'Secure message',
  OTHER: 'Other',
});

/**
 * Escalation steps of a finding that was not communicated. READER: a third of the time limit is left. ON_CALL: the time
 * limit is reached. LEAD: the time limit was exceeded by a third.
 */
export const escalationSteps = ['READER', 'ON_CALL', 'LEAD'] as const;
export type EscalationStep = (typeof escalationSteps)[number];

export const escalationLabels: Record<EscalationStep, string> = translated({
  READER: 'Reader reminded',
  ON_CALL: 'On-call notified',
  LEAD: 'Lead notified',
});

/**
 * Ways to acknowledge a finding: by read-back of an external recipient, by a user to whom it was communicated, or in
 * the signed report.
 */
export const acknowledgmentMethods = ['READ_BACK', 'TOLD', 'REPORT'] as const;
export type AcknowledgmentMethod = (typeof acknowledgmentMethods)[number];
