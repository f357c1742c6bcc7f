import { z } from 'zod';

/* Marks of reading that rows of studies show. */

/** A finding is OPEN until its recipient is reached, and settled when the recipient acknowledges it. */
export const criticalStates = ['OPEN', 'COMMUNICATED', 'ACKNOWLEDGED', 'WITHDRAWN'] as const;
export type CriticalState = (typeof criticalStates)[number];

/** The user who is writing the report of a study. */
export const reading = z.object({
  username: z.string(),
  name: z.string(),
  since: z.string(),
  isMe: z.boolean(),
  /** Expiry without a further beat. Beats send no event: read again by then. */
  expiresAt: z.string(),
});
export type Reading = z.infer<typeof reading>;

export const reportStatuses = ['DRAFT', 'PENDING_REVIEW', 'REVISION_REQUIRED', 'APPROVED', 'FINALIZED'] as const;
export type ReportStatus = (typeof reportStatuses)[number];
