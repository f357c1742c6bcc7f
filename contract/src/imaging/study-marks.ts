import { z } from 'zod';
import { t } from '../core/translate.ts';

/* States shown as marks in rows of studies: critical findings, and who is writing the report. */

/**
 * States of a critical finding. OPEN lasts until the recipient is reached. A finding is settled when the recipient
 * acknowledges it.
 */
export const criticalStates = ['OPEN', 'COMMUNICATED', 'ACKNOWLEDGED', 'WITHDRAWN'] as const;
export type CriticalState = (typeof criticalStates)[number];

/** User who is writing the report of a study. */
export const reading = z.object({
  username: z.string(),
  name: z.string(),
  since: z.string(),
  isMe: z.boolean(),
  /** Time when the lock expires unless it is renewed. A renewal sends no event, so fetch again at this time. */
  expiresAt: z.string(),
});
export type Reading = z.infer<typeof reading>;

/** Returns the message while a report is being written. `since` is display text in the time zone of the user. */
export const beingRead = ({ name, since, isMe = false }: { name: string; since: string; isMe?: boolean }): string =>
  isMe ? t`Being read by you since ${since}` : t`Being read by ${name} since ${since}`;

export const reportStatuses = ['DRAFT', 'PENDING_REVIEW', 'REVISION_REQUIRED', 'APPROVED', 'FINALIZED'] as const;
export type ReportStatus = (typeof reportStatuses)[number];
