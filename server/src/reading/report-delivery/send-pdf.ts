import { seesDrafts } from '@radwork/contract/reading/report-rights';
import type { Scopes } from '#core/access/scope.ts';
import { pathParameter } from '#core/http/path-parameters.ts';
import type { StreamCall } from '#core/http/http.ts';
import { isId } from '#core/values/ids.ts';
import { notFound } from '#core/http/problem.ts';
import { auditReport } from '#reading/report-records/change-report.ts';
import { arePreliminaryShown, lastPreliminary, shownChange } from '#reading/report-records/preliminary-versions.ts';
import { studyById } from '#imaging/studies/study-rows.ts';
import { reportById } from '#reading/report-records/stored-report.ts';
import { makePdf } from './pdf/make-pdf.ts';
import { documentOf, type ReportDocument } from './report-document.ts';

/** Sends the PDF of a report and audits it. If the report is not signed, every page says so. */
export const sendPdf = async (scopes: Scopes, { request, reply, session }: StreamCall) => {
  const reportId = pathParameter(request, 'id');
  if (!isId(reportId)) throw notFound('report');
  const document = await scopes.inTenant(session, async (scope) => {
    const report = await reportById(scope, reportId);
    await auditReport(scope, 'report.print', report);
    const printed = await documentOf(scope, reportId);
    return { ...printed, preliminaryChange: await shownChange(scope, printed.preliminaryChange) };
  });
  const pdf = await makePdf(document);
  return reply.headers(pdfHeaders(document)).send(pdf);
};

/**
 * Sends the PDF of the preliminary report with its frozen text, and audits it. Throws 404 if there is none, or if the
 * caller may not know of it. After the report is signed, only users who see drafts get it, with a notice.
 */
export const sendPreliminaryPdf = async (scopes: Scopes, { request, reply, session }: StreamCall) => {
  const reportId = pathParameter(request, 'id');
  if (!isId(reportId)) throw notFound('report');
  const document = await scopes.inTenant(session, async (scope): Promise<ReportDocument> => {
    const document = await documentOf(scope, reportId);
    const study = await studyById(scope, document.studyId);
    const preliminary = (await arePreliminaryShown(scope)) ? await lastPreliminary(scope, reportId) : undefined;
    const isReplaced = document.status === 'FINALIZED';
    if (!preliminary || (isReplaced && !seesDrafts(session.userType))) throw notFound('report');
    const { number, version, issuedBy, issuedAt, content, criticalFindingsDetails } = preliminary;
    const printed = { id: reportId, study_id: study.id, patient_id: study.patient_id };
    await auditReport(scope, 'report.print', printed, { version, preliminary: true });
    return {
      ...document,
      status: 'DRAFT',
      parts: [],
      // Leaves out findings, which are communicated separately. Only the frozen text was issued.
      findings: [],
      newerSignedAt: document.parts[0]?.finalizedAt ?? document.newerSignedAt,
      content,
      criticalFindingsDetails,
      preliminary: { number, by: issuedBy.name, at: issuedAt },
      changedAt: issuedAt,
    };
  });
  const pdf = await makePdf(document);
  return reply.headers(pdfHeaders(document)).send(pdf);
};

/** Headers for a PDF that the browser shows and does not cache. */
const pdfHeaders = (document: Pick<ReportDocument, 'study'>): Record<string, string> => ({
  'content-type': 'application/pdf',
  'content-disposition': `inline; filename="${pdfName(document)}"`,
  'cache-control': 'private, no-store',
  'x-content-type-options': 'nosniff',
  'content-security-policy': `default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'self'`,
});

/** Returns a file name with only the safe characters of the accession number, which may be any text. */
export const pdfName = ({ study }: Pick<ReportDocument, 'study'>): string =>
  ['report', study.accessionNumber.replaceAll(/[^A-Za-z0-9_-]+/g, '_')].filter(Boolean).join('-').concat('.pdf');
