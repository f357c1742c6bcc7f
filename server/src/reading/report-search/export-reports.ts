import { mostExportedReports, reportTextFilter } from '@radwork/contract/reading/report-search';
import { reportStatusLabels } from '@radwork/contract/reading/report-status';
import { type ReportRow, reportListQuery } from '@radwork/contract/reading/reports';
import { audit } from '#core/audit/audit.ts';
import { type CsvRow, namedByDay, portionsOf, sendCsv, streamQuery } from '#core/http/csv.ts';
import type { StreamCall } from '#core/http/http.ts';
import { forbidden } from '#core/http/problem.ts';
import { hasPermission, type Scope, type Scopes } from '#core/access/scope.ts';
import { listedReports, toReportRow } from '#reading/report-records/stored-report.ts';
import { listedIds } from '#reading/reports/report-list.ts';
import { hitsOf, rowsOf } from './service.ts';

const heading = [
  'Patient',
  'Patient ID',
  'Study date',
  'Modality',
  'Accession number',
  'Study',
  'Status',
  'Amended',
  'Author',
  'Reviewer',
  'Created (UTC)',
  'Finalized (UTC)',
  'Critical findings',
  'Report ID',
];

const lineOf = (report: ReportRow): CsvRow => [
  report.patientName,
  report.patientId,
  report.studyDate ?? '',
  report.modality,
  report.accessionNumber,
  report.studyDescription,
  reportStatusLabels[report.status],
  report.amended ? 'yes' : '',
  report.author.name,
  report.reviewer?.name ?? '',
  report.createdAt,
  report.finalizedAt ?? '',
  report.hasCriticalFindings ? 'yes' : '',
  report.id,
];

const cutLine = (limit: string): string =>
  `This export ends at ${limit} reports. More reports match. Choose more filters.`;

/** Throws 403 for a caller who may export lists but not read reports. */
const assertReadsReports = ({ session }: Scope): void => {
  if (!hasPermission(session, 'report.view')) throw forbidden();
};

/** Audits an export with the number of its reports. */
const auditExport = (scope: Scope, action: string, found: readonly unknown[], most: number): Promise<void> =>
  audit(scope, action, { entity: 'report', detail: { reports: Math.min(found.length, most) } });

/** Sends the list of reports as CSV, and audits the export before the first report is sent. */
export const exportReports = async (
  scopes: Scopes,
  { request, reply, session }: StreamCall,
  most = mostExportedReports,
) => {
  const { page: _, size: __, ...query } = streamQuery(reportListQuery, request);
  const ids = await scopes.inTenant(session, async (scope) => {
    assertReadsReports(scope);
    const found = await listedIds(scope, query, most + 1);
    await auditExport(scope, 'report.export', found, most);
    return found;
  });
  const read = (some: string[]) =>
    scopes.inTenant(session, async (scope) => {
      // Checks the rights of each portion again. A report that the caller may no longer read is left out.
      const rows = await listedReports(scope).where('r.id', 'in', some).execute();
      return rows
        .toSorted((one, other) => some.indexOf(one.id) - some.indexOf(other.id))
        .map((row) => lineOf(toReportRow(row)));
    });
  return sendCsv(reply, { name: namedByDay('reports'), heading, portions: portionsOf(ids, { most, read, cutLine }) });
};

/** Sends the hits of a text search as CSV, with their snippets. The audit entry does not hold the searched words. */
export const exportHits = async (
  scopes: Scopes,
  { request, reply, session }: StreamCall,
  most = mostExportedReports,
) => {
  const filter = streamQuery(reportTextFilter, request);
  const { hits } = await scopes.inTenant(session, async (scope) => {
    assertReadsReports(scope);
    const found = await hitsOf(scope, filter, { offset: 0, limit: most + 1 });
    await auditExport(scope, 'report.exportHits', found.hits, most);
    return found;
  });
  const read = (some: typeof hits) =>
    scopes.inTenant(session, async (scope) => {
      const rows = await rowsOf(scope, filter.text, some);
      return rows.map((row) => [
        ...lineOf(row),
        row.part === 0 ? 'Report' : `Addendum ${row.part}`,
        row.snippet.map(({ text }) => text).join(''),
      ]);
    });
  return sendCsv(reply, {
    name: namedByDay('report-texts'),
    heading: [...heading, 'Part', 'Text'],
    portions: portionsOf(hits, { most, read, cutLine }),
  });
};
