import { followUpPartLabels } from '@radwork/contract/reading/follow-up-parts';
import { followUpModalityLabels, followUpStateLabels } from '@radwork/contract/reading/follow-up-states';
import { type FollowUp, followUpExportQuery, mostExportedFollowUps } from '@radwork/contract/reading/follow-ups';
import { audit } from '#core/audit/audit.ts';
import { type CsvRow, namedByDay, portionsOf, sendCsv, streamQuery } from '#core/http/csv.ts';
import type { StreamCall } from '#core/http/http.ts';
import { forbidden } from '#core/http/problem.ts';
import { hasPermission, type Scopes } from '#core/access/scope.ts';
import { followUpsWhere } from './follow-up-rows.ts';
import { listedIds } from './service.ts';

const heading = [
  'Patient Name',
  'Patient ID',
  'State',
  'Due from',
  'Due to',
  'Overdue',
  'Modality',
  'Body part',
  'Recommendation',
  'Reason',
  'Owner',
  'Author',
  'Study date',
  'Study',
  'Report ID',
];

const lineOf = (row: FollowUp): CsvRow => [
  row.patientName,
  row.patientId,
  followUpStateLabels[row.state],
  row.dueFrom,
  row.dueTo,
  row.isOverdue ? 'yes' : '',
  row.modality && followUpModalityLabels[row.modality],
  row.bodyPart && followUpPartLabels[row.bodyPart],
  row.quote,
  row.reason,
  row.owner.name,
  row.author.name,
  (row.studyDate ?? '').replace('T', ' '),
  row.studyDescription,
  row.reportId,
];

const cutLine = (limit: string): string =>
  `This export ends at ${limit} follow-ups. More follow-ups match. Choose more filters.`;

/** Sends the register as CSV, and audits this before the first row is sent. */
export const exportFollowUps = async (scopes: Scopes, { request, reply, session }: StreamCall) => {
  const most = mostExportedFollowUps;
  const query = streamQuery(followUpExportQuery, request);
  const ids = await scopes.inTenant(session, async (scope) => {
    if (!hasPermission(scope.session, 'report.view')) throw forbidden();
    const found = await listedIds(scope, query, most + 1);
    const detail = { followUps: Math.min(found.length, most) };
    await audit(scope, 'follow_up.exportList', { entity: 'follow_up', detail });
    return found;
  });
  // Checks the rights of each portion again.
  const read = (some: string[]) =>
    scopes.inTenant(session, async (scope) => {
      const rows = await followUpsWhere(scope, (selected) => selected.where('f.id', 'in', some));
      return rows.toSorted((one, other) => some.indexOf(one.id) - some.indexOf(other.id)).map(lineOf);
    });
  return sendCsv(reply, {
    name: namedByDay('follow-ups'),
    heading,
    portions: portionsOf(ids, { most, read, cutLine }),
  });
};
