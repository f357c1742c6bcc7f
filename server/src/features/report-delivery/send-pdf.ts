import type { Scopes } from '#core/scope.ts';
import { pathParameter } from '#archive/path-uids.ts';
import type { StreamCall } from '#core/http.ts';
import { isId } from '#core/ids.ts';
import { notFound } from '#core/problem.ts';
import { noteReport } from '#features/reports/change-report.ts';
import { reportById } from '#features/reports/stored-report.ts';
import { makePdf } from './pdf/make-pdf.ts';
import { documentOf, type ReportDocument } from './report-document.ts';

/** Answers with a report on paper, and writes down who took it. What is not signed says so on every page. */
export const sendPdf = async (scopes: Scopes, { request, reply, session }: StreamCall) => {
  const reportId = pathParameter(request, 'id');
  if (!isId(reportId)) throw notFound('report');
  const document = await scopes.inTenant(session, async (scope) => {
    const report = await reportById(scope, reportId);
    await noteReport(scope, 'report.print', report);
    return documentOf(scope, reportId);
  });
  const pdf = await makePdf(document);
  return reply.headers(pdfHeaders(document)).send(pdf);
};

/** How a report's PDF is answered: shown by the browser, kept by nobody. */
const pdfHeaders = (document: Pick<ReportDocument, 'study'>): Record<string, string> => ({
  'content-type': 'application/pdf',
  'content-disposition': `inline; filename="${pdfName(document)}"`,
  'cache-control': 'private, no-store',
  'x-content-type-options': 'nosniff',
  'content-security-policy': `default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'self'`,
});

/** An accession number is what somebody typed or a scanner sent: only what is harmless in a file's name stays of it. */
export const pdfName = ({ study }: Pick<ReportDocument, 'study'>): string =>
  ['report', study.accessionNumber.replaceAll(/[^A-Za-z0-9_-]+/g, '_')].filter(Boolean).join('-').concat('.pdf');
