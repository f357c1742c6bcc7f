import { z } from 'zod';
import { criticalSeverities } from './critical-findings.ts';
import { get, post } from './endpoint.ts';
import { signedPart } from './report-parts.ts';
import { reportIdentifiers } from './reporting-settings.ts';

/** Something that was signed after the text; of who signed it a stranger learns the name only. */
const portalPart = signedPart.omit({ finalizedBy: true }).extend({ signedByName: z.string() });
export type PortalPart = z.infer<typeof portalPart>;

/** A finalized report as somebody with its link reads it: all that was signed, and enough to know whose it is. */
export const portalReport = z.object({
  content: z.string(),
  tenantName: z.string(),
  letterhead: z.string(),
  letterheadFooter: z.string(),
  /** A PNG or JPEG as a data URL. */
  letterheadLogo: z.string().nullable(),
  /** The contact for questions; empty where the organisation gives none. */
  contact: z.string(),
  patientName: z.string(),
  /** The second identifier beside the name; null where none is known. */
  patientIdentifier: z.object({ kind: z.enum(reportIdentifiers), value: z.string() }).nullable(),
  studyDate: z.string().nullable(),
  studyDescription: z.string(),
  modality: z.string(),
  authorName: z.string(),
  finalizedByName: z.string(),
  finalizedAt: z.string(),
  statement: z.string(),
  signingRemark: z.string(),
  signatureData: z.string().nullable(),
  contentHash: z.string(),
  /** Whether the text is still the one that was signed; each addendum says so of itself. */
  isUnchanged: z.boolean(),
  amended: z.boolean(),
  /** When a newer report was signed for the same study, if one was: this is not the one to go by. */
  newerSignedAt: z.string().nullable(),
  addenda: z.array(portalPart),
  criticalFindings: z.array(
    z.object({ finding: z.string(), severity: z.enum(criticalSeverities), identifiedDateTime: z.string() }),
  ),
  /** What the report was signed with as critical, where none of the findings says it: empty otherwise. */
  criticalFindingsDetails: z.string(),
});
export type PortalReport = z.infer<typeof portalReport>;

/** How the server says that a link is right and what it asks for; every other refusal is alike. */
export const codeNeeded = { PASSCODE: 'report_link.passcode_needed', BIRTH_DATE: 'report_link.birth_date_needed' };

/** A report on paper for whoever holds its link. */
export const portalPdf = z.object({ fileName: z.string(), pdf: z.base64() });

const code = z.string('Enter the code').trim().min(1, 'Enter the code').max(100, 'The code is too long');

export const portal = {
  report: get('/portal/report/:hash', { can: 'public', hasEffect: true, reply: portalReport }),
  /** With the answer to the question that the link asks; a day of birth as "yyyy-MM-dd". It never stands in an address. */
  open: post('/portal/report/:hash', {
    can: 'public',
    body: z.object({ code }),
    reply: portalReport,
  }),
  /** The same by the same rules, on paper: with a code where the link asks for one, and counted as an opening. */
  pdf: post('/portal/report/:hash/pdf', {
    can: 'public',
    body: z.object({ code: code.optional() }),
    reply: portalPdf,
  }),
};
