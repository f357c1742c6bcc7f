import { Readable } from 'node:stream';
import { byteOrderMark, csvOf } from '@radwork/contract/core/csv';
import type { TaskEntry } from '@radwork/contract/reading/workflow';
import { sql } from 'kysely';
import { pathParameter } from '#core/http/path-parameters.ts';
import { auditStudy } from '#core/audit/audit.ts';
import { isId } from '#core/values/ids.ts';
import { notFound } from '#core/http/problem.ts';
import type { Scope, Scopes } from '#core/access/scope.ts';
import type { StreamCall } from '#core/http/http.ts';
import { studyById } from '#imaging/studies/study-rows.ts';
import { storedEntries, toTaskEntry } from './history.ts';

/** Number of entries read at a time. */
const chunk = 500;

/** Sends the whole task history of a study as CSV, newest first, and audits this. */
export const exportHistory = async (scopes: Scopes, { request, reply, session }: StreamCall) => {
  const studyId = pathParameter(request, 'id');
  if (!isId(studyId)) throw notFound('study');
  const { study, first } = await scopes.inTenant(session, async (scope) => {
    const record = await studyById(scope, studyId);
    await auditStudy(scope, 'study.exportHistory', record);
    return { study: record, first: await entriesAfter(scope, studyId, undefined) };
  });
  const following = (last: string) => scopes.inTenant(session, (scope) => entriesAfter(scope, studyId, last));
  return reply
    .type('text/csv; charset=utf-8')
    .header('content-disposition', `attachment; filename="${fileName(study.accession_number)}"`)
    .send(Readable.from(csvIn(first, following)));
};

/** Returns a file name with only the safe characters of the accession number, which may be any text. */
const fileName = (accessionNumber: string): string =>
  ['task-history', accessionNumber.replaceAll(/[^A-Za-z0-9_-]+/g, '_')].filter(Boolean).join('-').concat('.csv');

/** Returns the entries older than the given one. Without one, returns the newest entries. */
const entriesAfter = async (scope: Scope, studyId: string, last: string | undefined): Promise<TaskEntry[]> => {
  const rows = await storedEntries(scope, studyId)
    .$if(last !== undefined, (entries) =>
      entries.where(
        sql<boolean>`(t.created_at, t.id) < (select created_at, id from task_history where id = ${last ?? ''})`,
      ),
    )
    .orderBy('t.created_at', 'desc')
    .orderBy('t.id', 'desc')
    .limit(chunk)
    .execute();
  return rows.map(toTaskEntry);
};

/** Yields the lines of the file. No transaction is open while they are sent. */
async function* csvIn(first: TaskEntry[], following: (last: string) => Promise<TaskEntry[]>) {
  yield byteOrderMark + csvOf([['Time (UTC)', 'Event', 'Value', 'Details', 'User']]);
  for (let entries = first; ;) {
    yield csvOf(
      entries.map(({ timestamp, typeDescription, displayValue, details, user }) => [
        timestamp,
        typeDescription,
        displayValue,
        details,
        user.username,
      ]),
    );
    const last = entries.at(-1);
    if (!last || entries.length < chunk) return;
    entries = await following(last.id);
  }
}
