import {
  type ImportJob,
  importJobExportQuery,
  importJobStateLabels,
  mostExportedImportJobs,
} from '@radwork/contract/imaging/import-jobs';
import { audit } from '#core/audit/audit.ts';
import { type CsvRow, namedByDay, portionsOf, sendCsv, streamQuery } from '#core/http/csv.ts';
import type { StreamCall } from '#core/http/http.ts';
import { forbidden } from '#core/http/problem.ts';
import { hasPermission, type Scopes } from '#core/access/scope.ts';
import { importsInState, importsOf } from './import-rows.ts';

const heading = [
  'Patient Name',
  'Study',
  'Study Instance UID',
  'State',
  'Expected instances',
  'Received instances',
  'Failed instances',
  'Cause',
  'Attempts',
  'From',
  'Protocol',
  'Requested by',
  'Requested',
  'Started',
  'Finished',
];

const lineOf = (job: ImportJob): CsvRow => [
  job.patientName,
  job.studyDescription,
  job.studyInstanceUID,
  importJobStateLabels[job.state],
  job.expected ?? '',
  job.received,
  job.failed,
  job.cause,
  job.attempts,
  job.remoteName,
  job.protocol,
  job.requestedBy,
  job.createdDate,
  job.startedDate ?? '',
  job.finishedDate ?? '',
];

const cutLine = (limit: string): string => `This export ends at ${limit} imports. More imports match. Choose a state.`;

/** Sends the imports as CSV, the newest first, and audits this before the first row is sent. */
export const exportImports = async (scopes: Scopes, { request, reply, session }: StreamCall) => {
  const most = mostExportedImportJobs;
  const { state } = streamQuery(importJobExportQuery, request);
  const ids = await scopes.inTenant(session, async (scope) => {
    if (!hasPermission(scope.session, 'study.import')) throw forbidden();
    const rows = await importsInState(scope, state)
      .clearSelect()
      .select('j.id')
      .orderBy('j.id', 'desc')
      .limit(most + 1)
      .execute();
    const detail = { imports: Math.min(rows.length, most) };
    await audit(scope, 'import.exportList', { entity: 'import_job', detail });
    return rows.map(({ id }) => id);
  });
  // Checks the rights of each portion again.
  const read = (some: string[]) =>
    scopes.inTenant(session, async (scope) => (await importsOf(scope, some)).map(lineOf));
  return sendCsv(reply, { name: namedByDay('imports'), heading, portions: portionsOf(ids, { most, read, cutLine }) });
};
