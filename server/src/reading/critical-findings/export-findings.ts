import {
  type CriticalFinding,
  criticalFindingExportQuery,
  mostExportedFindings,
} from '@radwork/contract/reading/critical-findings';
import { criticalStateLabels, severityLabels } from '@radwork/contract/reading/critical-finding-states';
import { audit } from '#core/audit/audit.ts';
import { type CsvRow, namedByDay, portionsOf, sendCsv, streamQuery } from '#core/http/csv.ts';
import type { StreamCall } from '#core/http/http.ts';
import { forbidden } from '#core/http/problem.ts';
import { hasPermission, type Scopes } from '#core/access/scope.ts';
import { describeFindings, wholeFindings } from './finding-rows.ts';
import { listedIds } from './service.ts';

const heading = [
  'Patient Name',
  'Patient ID',
  'Finding',
  'Severity',
  'State',
  'Identified (UTC)',
  'Identified by',
  'Due (UTC)',
  'Communicated (UTC)',
  'Acknowledged (UTC)',
  'Acknowledged by',
  'Withdrawn (UTC)',
  'Reason of withdrawal',
  'Modality',
  'Study date',
  'Study',
  'Report ID',
];

const lineOf = (finding: CriticalFinding): CsvRow => [
  finding.patientName,
  finding.patientId,
  finding.finding,
  severityLabels[finding.severity],
  criticalStateLabels[finding.state],
  finding.identifiedDateTime,
  finding.identifiedBy.name,
  finding.dueAt,
  finding.communicatedAt ?? '',
  finding.acknowledgedAt ?? '',
  finding.acknowledgedBy?.name ?? '',
  finding.withdrawnAt ?? '',
  finding.withdrawnReason,
  finding.modality,
  (finding.studyDate ?? '').replace('T', ' '),
  finding.studyDescription,
  finding.reportId,
];

const cutLine = (limit: string): string =>
  `This export ends at ${limit} findings. More findings match. Choose more filters.`;

/** Sends critical findings as CSV, and audits this before the first finding is sent. */
export const exportFindings = async (scopes: Scopes, { request, reply, session }: StreamCall) => {
  const most = mostExportedFindings;
  const query = streamQuery(criticalFindingExportQuery, request);
  const ids = await scopes.inTenant(session, async (scope) => {
    if (!hasPermission(scope.session, 'report.view')) throw forbidden();
    const found = await listedIds(scope, query, most + 1);
    const detail = { findings: Math.min(found.length, most) };
    await audit(scope, 'critical_finding.exportList', { entity: 'critical_finding', detail });
    return found;
  });
  // Checks the rights of each portion again.
  const read = (some: string[]) =>
    scopes.inTenant(session, async (scope) => {
      const rows = await wholeFindings(scope).where('f.id', 'in', some).execute();
      const findings = await describeFindings(scope, rows);
      return findings.toSorted((one, other) => some.indexOf(one.id) - some.indexOf(other.id)).map(lineOf);
    });
  return sendCsv(reply, {
    name: namedByDay('critical-findings'),
    heading,
    portions: portionsOf(ids, { most, read, cutLine }),
  });
};
