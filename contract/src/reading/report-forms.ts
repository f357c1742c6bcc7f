import { t } from '../core/translate.ts';
import { z } from 'zod';
import { identityStatement } from '../imaging/identities.ts';
import { preliminaryChange } from './preliminary-reports.ts';
import { signatureData, signerProof } from '../identity/signing-means.ts';

/**
 * Size of the largest body of a call with a report, in bytes: 5 MB of text and images, escaped for JSON, and a
 * signature.
 */
export const largestBody = 8 << 20;

export const reportContent = z
  .string({ error: () => t`Report content is required` })
  .max(5_000_000, { error: () => t`The report is larger than 5 MB` });

const criticalFlag = {
  hasCriticalFindings: z.boolean().optional(),
  criticalFindingsDetails: z
    .string()
    .trim()
    .max(4000, { error: () => t`The details are longer than 4,000 characters` })
    .optional(),
};

const flagHasDetails = (form: {
  hasCriticalFindings?: boolean | undefined;
  criticalFindingsDetails?: string | undefined;
}) => !form.hasCriticalFindings || Boolean(form.criticalFindingsDetails);

const detailsMissing = { path: ['criticalFindingsDetails'], error: () => t`Critical findings details are required` };

/**
 * Revision on which the change is based. If a newer revision exists, the change is rejected, so that no user overwrites
 * a colleague. Required after the study has moved to another patient (`refiledAt`).
 */
const revision = z.number().int().optional();

const draft = z.object({
  content: reportContent,
  ...criticalFlag,
  revision,
  /** ID of the autosave that this save replaces (report-autosaves.ts). */
  keptTextId: z.uuid().optional(),
});

export const draftForm = draft.refine(flagHasDetails, detailsMissing);

/**
 * Form for a new report. A new report has no revision, so it cannot reveal a move of its study. A caller who has seen
 * the patient before writing, such as our browser client, names the patient record instead. Other callers omit it.
 */
export const newReportForm = draft
  .extend({ patientId: z.uuid({ error: () => t`Patient record of the text is required` }).optional() })
  .refine(flagHasDetails, detailsMissing);

/** Error code if the study has moved to another patient since the text was begun. */
export const refiledError = 'report.refiled';

/**
 * Fields of a signature. Password or code are required if the last sign-in is older than `signInCountsFor`. An
 * organization may require a proof at each signature (signing-means.ts).
 */
export const signing = {
  signatureData: signatureData.optional(),
  /** Name in the image of a typed signature; absent for a drawn signature. It must be the name of the account. */
  typedName: z
    .string()
    .max(256, { error: () => t`Name is too long` })
    .optional(),
  /** Whether to use the signer's saved signature. `signatureData` is then omitted. */
  usesSavedSignature: z.boolean().optional(),
  /** Whether to store this drawn signature as the saved signature of the signer. */
  savesSignature: z.boolean().optional(),
  ...signerProof,
  pin: z
    .string()
    .trim()
    .max(64, { error: () => t`The PIN is too long` })
    .optional(),
  /** Required while the study has an open identity question (identities.ts). */
  identityStatement: identityStatement.optional(),
};

export const finalizeForm = z
  .object({ content: reportContent, ...criticalFlag, ...signing, preliminaryChange, revision })
  .refine(flagHasDetails, detailsMissing);

export const reviewRequestForm = z.object({
  reviewerId: z.uuid({ error: () => t`Please select a reviewer` }),
  notes: z
    .string()
    .trim()
    .max(4000, { error: () => t`The notes are longer than 4,000 characters` })
    .default(''),
  revision,
});

/** This form has no notes: the notes of the first request stay. */
export const rerouteForm = reviewRequestForm.omit({ notes: true });

export const reviewForm = z.object({
  approved: z.boolean(),
  comments: z
    .string({ error: () => t`Review comments are required` })
    .trim()
    .min(1, { error: () => t`Review comments are required` })
    .max(4000, { error: () => t`The comments are longer than 4,000 characters` }),
  revision,
});
