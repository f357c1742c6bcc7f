import { t } from '@radwork/contract/core/translate';
import { Readable } from 'node:stream';
import { auditActionWords } from '@radwork/contract/audit-actions';
import { type AuditEntry, auditExportQuery, auditSearch, mostExportedEntries } from '@radwork/contract/identity/audit';
import { byteOrderMark, csvOf } from '@radwork/contract/core/csv';
import type { z } from 'zod';
import { audit } from '#core/audit/audit.ts';
import type { StreamCall } from '#core/http/http.ts';
import { malformed } from '#core/http/problem.ts';
import type { Scopes, Session } from '#core/access/scope.ts';
import { auditEventOf } from './audit-event.ts';
import { toEntries } from './describe-entries.ts';
import { findEntries } from './search-entries.ts';

const chunk = 200;
type ExportQuery = z.output<typeof auditExportQuery>;

const tooMany = (most: number) => {
  const limit = new Intl.NumberFormat('en').format(most);
  return `This export ends at ${limit} entries. Older entries are missing. Choose fewer days.`;
};

/** Sends the entries of a search as a file, newest first. Audits the export before the first entry is sent. */
export const exportEntries = async (scopes: Scopes, { request, reply, session }: StreamCall) => {
  const parameters = Object.entries(request.query as Record<string, unknown>).filter(([, value]) => value !== '');
  const { data: query, error } = auditExportQuery.safeParse(Object.fromEntries(parameters));
  if (!query) throw malformed(error.issues[0]?.message ?? t`Invalid request data`);
  const filters = parameters
    .map(([name]) => name)
    .filter((name) => name !== 'format' && name in auditExportQuery.shape);
  await scopes.inTenant(session, (scope) =>
    audit(scope, 'audit.export', { entity: 'audit', detail: { format: query.format, filters: filters.join(' ') } }),
  );
  const day = new Date().toISOString().slice(0, 10);
  const text = Readable.from(exportedText(scopes, session, query));
  if (query.format === 'csv') {
    return reply
      .type('text/csv; charset=utf-8')
      .header('content-disposition', `attachment; filename="audit-${day}.csv"`)
      .send(text);
  }
  return reply
    .type('application/fhir+json; charset=utf-8')
    .header('content-disposition', `attachment; filename="audit-${day}.json"`)
    .send(text);
};

/** Yields the text of an export in pieces: at most `most` entries, and a note if entries are missing. */
export const exportedText = (scopes: Scopes, session: Session, query: ExportQuery, most = mostExportedEntries) => {
  const parts = partsOf(scopes, session, query, most);
  return query.format === 'csv' ? csvIn(parts, tooMany(most)) : bundleIn(parts, tooMany(most));
};

type Part = { entries: AuditEntry[]; isCut: boolean };

/** Yields the entries of a search in portions. No transaction stays open while a slow client reads. */
async function* partsOf(scopes: Scopes, session: Session, query: ExportQuery, most: number): AsyncGenerator<Part> {
  let remaining = most;
  for (let before: string | undefined; ;) {
    const from = before;
    const search = auditSearch.parse({ ...query, size: Math.min(chunk, remaining), before: from });
    const { entries, older } = await scopes.reading(session, async (scope) => {
      const page = await findEntries(scope, search);
      return { entries: await toEntries(scope, page.rows), older: page.older };
    });
    remaining -= entries.length;
    yield { entries, isCut: older !== null && remaining === 0 };
    if (older === null || remaining === 0) return;
    before = older;
  }
}

const heading = [
  'Time (UTC)',
  'User',
  'Organization',
  'Action',
  'Entity',
  'Entity ID',
  'Patient',
  'Patient ID',
  'Study ID',
  'Outcome',
  'IP',
  // Identifies the user by id, because a username can change or be given to another user.
  'User ID',
  'User type',
  'Details',
  'Position',
  'Seal',
];

const rowOf = (entry: AuditEntry): (string | number)[] => [
  entry.time,
  entry.user.username,
  entry.tenant,
  auditActionWords(entry.action),
  entry.entity,
  entry.entityId,
  entry.patient?.name ?? '',
  entry.patient?.id ?? '',
  entry.study?.id ?? '',
  entry.outcome,
  entry.ip,
  entry.user.id ?? '',
  entry.user.userType ?? '',
  Object.entries(entry.detail)
    .map(([name, value]) => `${name}: ${String(value)}`)
    .join('; '),
  entry.position ?? '',
  entry.seal ?? '',
];

async function* csvIn(parts: AsyncIterable<Part>, words: string) {
  yield byteOrderMark + csvOf([heading]);
  for await (const { entries, isCut } of parts) yield csvOf([...entries.map(rowOf), ...(isCut ? [[words]] : [])]);
}

/** Writes a Bundle while entries are read. If entries are missing, an OperationOutcome at the end says so. */
async function* bundleIn(parts: AsyncIterable<Part>, words: string) {
  yield `{"resourceType":"Bundle","type":"collection","timestamp":${JSON.stringify(new Date().toISOString())}`;
  let isFirst = true;
  for await (const { entries, isCut } of parts) {
    const resources = [...entries.map(auditEventOf), ...(isCut ? [outcomeOf(words)] : [])];
    for (const resource of resources) {
      const id = 'id' in resource ? resource.id : 'cut';
      yield `${isFirst ? ',"entry":[' : ','}${JSON.stringify({ fullUrl: `urn:radwork:audit:${id}`, resource })}`;
      isFirst = false;
    }
  }
  yield isFirst ? '}' : ']}';
}

const outcomeOf = (words: string) => ({
  resourceType: 'OperationOutcome',
  issue: [{ severity: 'warning', code: 'too-costly', diagnostics: words }],
});
