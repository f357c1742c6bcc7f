import { t } from '../core/translate.ts';
import { z } from 'zod';
import { criticalSeverities } from './critical-finding-states.ts';
import { get, post } from '../core/endpoint.ts';
import type { Noun } from '../core/noun.ts';
import { signedPart } from './report-parts.ts';
import { reportIdentifiers } from './reporting-settings.ts';

/** A part signed after the report. The recipient of a share link sees only the name of the signer. */
const portalPart = signedPart
  .omit({ finalizedBy: true })
  .extend({ signedByName: z.string(), signedByCredentials: z.string() });
export type PortalPart = z.infer<typeof portalPart>;

/**
 * A finalized report as the recipient of a share link sees it: all signed parts, and enough data to identify the
 * patient.
 */
export const portalReport = z.object({
  content: z.string(),
  tenantName: z.string(),
  letterhead: z.string(),
  letterheadFooter: z.string(),
  /** Logo as a data URL (PNG or JPEG). */
  letterheadLogo: z.string().nullable(),
  /** Contact for questions; empty if the organization has none. */
  contact: z.string(),
  patientName: z.string(),
  /** Second patient identifier in addition to the name; null if none is known. */
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
  /** Whether the stored text still matches the signed text. Each addendum has its own value. */
  isUnchanged: z.boolean(),
  amended: z.boolean(),
  /** Signing time of a newer report of the study, if any. The newer report is then the valid one. */
  newerSignedAt: z.string().nullable(),
  addenda: z.array(portalPart),
  criticalFindings: z.array(
    z.object({ finding: z.string(), severity: z.enum(criticalSeverities), identifiedDateTime: z.string() }),
  ),
  /** Details about critical findings as signed. Empty if a recorded finding already states them. */
  criticalFindingsDetails: z.string(),
});
export type PortalReport = z.infer<typeof portalReport>;

/** Error codes of a valid link that requires a code. All other errors of links have one and the same response. */
export const codeNeeded = { PASSCODE: 'report_link.passcode_needed', BIRTH_DATE: 'report_link.birth_date_needed' };

/** The report as PDF, for the recipient of a share link. */
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
   * Opens the report with the answer to the question of the link. A date of birth is "yyyy-MM-dd". The code is never in
   * the address.
   */
  open: post('/portal/report/:hash', {
    can: 'public',
    audited: 'report_link.open',
    body: z.object({ code }),
    reply: portalReport,
  }),
  /**
   * Returns the same report as PDF, under the same rules. Requires the code, if any. Counts as another opening of the
   * link.
   */
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
