import { t } from '../core/translate.ts';
import { z } from 'zod';
import { criticalSeverities } from './critical-findings.ts';
import { get, post } from '../core/endpoint.ts';
import type { Noun } from '../core/noun.ts';
import { signedPart } from './report-parts.ts';
import { reportIdentifiers } from './reporting-settings.ts';

/** A part signed after the report. Readers with a share link see only the signer's name. */
const portalPart = signedPart
  .omit({ finalizedBy: true })
  .extend({ signedByName: z.string(), signedByCredentials: z.string() });
export type PortalPart = z.infer<typeof portalPart>;

/** A finalized report as seen through a share link: all signed parts, and enough data to identify the patient. */
export const portalReport = z.object({
  content: z.string(),
  tenantName: z.string(),
  letterhead: z.string(),
  letterheadFooter: z.string(),
  /** PNG or JPEG, as a data URL. */
  letterheadLogo: z.string().nullable(),
  /** Contact for questions; empty if the organization gives none. */
  contact: z.string(),
  patientName: z.string(),
  /** Second patient identifier besides the name; null if none is known. */
  patientIdentifier: z.object({ kind: z.enum(reportIdentifiers), value: z.string() }).nullable(),
  studyDate: z.string().nullable(),
  studyDescription: z.string(),
  modality: z.string(),
  authorName: z.string(),
  finalizedByName: z.string(),
  finalizedByCredentials: z.string(),
  finalizedAt: z.string(),
  statement: z.string(),
  signingRemark: z.string(),
  identityStatement: z.string(),
  signatureData: z.string().nullable(),
  contentHash: z.string(),
  /** True if the stored text still matches the signed one. Each addendum has its own flag. */
  isUnchanged: z.boolean(),
  amended: z.boolean(),
  /** Signing time of a newer report of the study, if any. The newer report then applies. */
  newerSignedAt: z.string().nullable(),
  addenda: z.array(portalPart),
  criticalFindings: z.array(
    z.object({ finding: z.string(), severity: z.enum(criticalSeverities), identifiedDateTime: z.string() }),
  ),
  /** Critical details from the signature, unless a finding already states them; otherwise empty. */
  criticalFindingsDetails: z.string(),
});
export type PortalReport = z.infer<typeof portalReport>;

/** Errors of a valid link that needs a code. All other errors look the same. */
export const codeNeeded = { PASSCODE: 'report_link.passcode_needed', BIRTH_DATE: 'report_link.birth_date_needed' };

/** The report as PDF, for a reader with the link. */
export const portalPdf = z.object({ fileName: z.string(), pdf: z.base64() });

const code = z
  .string({ error: () => t`Enter the code` })
  .trim()
  .min(1, { error: () => t`Enter the code` })
  .max(100, { error: () => t`The code is too long` });

export const portal = {
  report: get('/portal/report/:hash', {
    can: 'public',
    audited: 'report_link.open',
    hasEffect: true,
    reply: portalReport,
  }),
  /**
   * Opens the report with the answer to the link's question; a date of birth is "yyyy-MM-dd". The code is never in the
   * URL.
   */
  open: post('/portal/report/:hash', {
    can: 'public',
    audited: 'report_link.open',
    body: z.object({ code }),
    reply: portalReport,
  }),
  /** Returns the same report as PDF under the same rules. It needs the code, if any, and counts as an opening. */
  pdf: post('/portal/report/:hash/pdf', {
    can: 'public',
    audited: 'report_link.open',
    body: z.object({ code: code.optional() }),
    reply: portalPdf,
  }),
};

export const noun = {
  calls: [portal],
  actions: {
    Report: {
      'report_link.open': 'Opened shared report',
    },
  },
} as const satisfies Noun;
