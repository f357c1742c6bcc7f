import { z } from 'zod';
import { identityStatement } from './identities.ts';

/** The largest body of a call that carries a report: 5 MB of text and pictures, quoted as JSON, and a signature. */
export const largestBody = 8 << 20;

export const reportContent = z.string('Report content is required').max(5_000_000, 'The report is larger than 5 MB');

const criticalFlag = {
  hasCriticalFindings: z.boolean().optional(),
  criticalFindingsDetails: z.string().trim().max(4000, 'The details are longer than 4,000 characters').optional(),
};

const flagHasDetails = (form: {
  hasCriticalFindings?: boolean | undefined;
  criticalFindingsDetails?: string | undefined;
}) => !form.hasCriticalFindings || Boolean(form.criticalFindingsDetails);

const detailsMissing = { path: ['criticalFindingsDetails'], message: 'Critical findings details are required' };

/**
 * The version that the caller saw; a change onto a newer one is refused, so that nobody overwrites a colleague. It has to
 * be said once the study was filed under another patient (`refiledAt`).
 */
const revision = z.number().int().optional();

const draft = z.object({
  content: reportContent,
  ...criticalFlag,
  revision,
  /** The kept text (report-autosaves.ts) that is saved by this, and needed no more. */
  keptTextId: z.uuid().optional(),
});

export const draftForm = draft.refine(flagHasDetails, detailsMissing);

/**
 * A first text has no revision yet by which a refiling of its study could be told: whoever was shown a patient before
 * they wrote, as in our browser, says for whose record it was begun. A caller who was not has nobody to name.
 */
export const newReportForm = draft
  .extend({ patientId: z.uuid('Say for which patient the text was begun').optional() })
  .refine(flagHasDetails, detailsMissing);

/** How a text is refused whose study was filed under another patient since it was begun. */
export const refiledError = 'report.refiled';

/** What comes with a signature. The password, or a code, is asked for when the sign-in is older than `signInCountsFor`. */
export const signing = {
  signatureData: z.string().max(280_000, 'The signature is larger than 200 KB').optional(),
  /** The name in the picture of a typed signature; absent for a drawn one. Only the name of the account is accepted. */
  typedName: z.string().max(256, 'Name is too long').optional(),
  password: z.string().max(256, 'Password is too long').optional(),
  /** In place of the password, of whoever has a second factor. */
  code: z.string().trim().max(64, 'The code is too long').optional(),
  /** Asked for while it is open whose images the study has (identities.ts). */
  identityStatement: identityStatement.optional(),
};

export const finalizeForm = z
  .object({ content: reportContent, ...criticalFlag, ...signing, revision })
  .refine(flagHasDetails, detailsMissing);

export const reviewRequestForm = z.object({
  reviewerId: z.uuid('Please select a reviewer'),
  notes: z.string().trim().max(4000, 'The notes are longer than 4,000 characters').default(''),
  revision,
});

/** The notes stay those of whoever asked first. */
export const rerouteForm = reviewRequestForm.omit({ notes: true });

export const reviewForm = z.object({
  approved: z.boolean(),
  comments: z
    .string('Review comments are required')
    .trim()
    .min(1, 'Review comments are required')
    .max(4000, 'The comments are longer than 4,000 characters'),
  revision,
});
