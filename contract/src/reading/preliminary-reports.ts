import { t } from '../core/translate.ts';
import { z } from 'zod';
import { person } from './report-parts.ts';

/** User who issued a preliminary report, and the time. `number` counts the preliminary reports of a report from 1. */
export const preliminaryMark = z.object({
  number: z.number(),
  /** Version of the report with the frozen text. */
  version: z.number(),
  issuedBy: person,
  issuedAt: z.string(),
});
export type PreliminaryMark = z.infer<typeof preliminaryMark>;

/** A preliminary report with its frozen text, for users who see no drafts. */
export const preliminaryReport = preliminaryMark.extend({
  reportId: z.string(),
  content: z.string(),
  criticalFindingsDetails: z.string(),
});
export type PreliminaryReport = z.infer<typeof preliminaryReport>;

/** The revision of the draft on the screen. Its stored text is frozen. */
export const preliminaryForm = z.object({ revision: z.number().int().optional() });

export const longestPreliminaryChange = 1000;

/** Words of the signer on an important change since the preliminary report. Empty if there is none. */
export const preliminaryChange = z
  .string()
  .trim()
  .max(longestPreliminaryChange, { error: () => t`Use at most 1,000 characters` })
  .optional();
