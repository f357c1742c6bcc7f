import { type AuditFilters, type AuditPage, auditSearch } from '@radwork/contract/identity/audit';
import { readDayRange } from '@radwork/contract/core/study-dates';
import { serversName } from '@radwork/contract/identity/users';
import { type RawBuilder, sql } from 'kysely';
import type { z } from 'zod';
import { isId } from '#core/values/ids.ts';
import { isNotBlinded } from '#core/audit/blinded-entries.ts';
import type { ReadingScope } from '#core/access/scope.ts';
import { type StoredEntry, toEntries } from './describe-entries.ts';

/**
 * Maximum number of entries that one answer examines. A search for rare entries stops at this number, and returns how
 * far it came and where to continue. The maximum limits the time for an answer
 * (docs/decisions/0033-seal-the-audit-after-the-commit.md).
 */
export const mostExamined = 5000;

type Condition = RawBuilder<boolean>;

/**
 * `along` contains the conditions for which there is an index. `keeping` contains those that are checked on each entry.
 */
type EntryScan = { along: readonly Condition[]; keeping: readonly Condition[] };

const all = (conditions: readonly Condition[]): Condition =>
  conditions.length === 0 ? sql`true` : sql.join<boolean>([...conditions], sql` and `);

const any = (conditions: readonly Condition[]): Condition => sql`(${sql.join([...conditions], sql` or `)})`;

/**
 * Matches entries of the user who has this username now, and other entries with the username, such as those of visiting
 * users.
 */
const ofUser = (user: string, bearer: string | undefined): Condition[] => {
  if (isId(user)) return [sql`user_id = ${user}`];
  // Entries of the server and of unknown callers have no user id.
  if (user === serversName) return [sql`(user_id is null and username = ${user})`];
  if (bearer === undefined) return [sql`username = ${user}`];
  return [sql`user_id = ${bearer}`, sql`(username = ${user} and user_id is distinct from ${bearer})`];
};

/**
 * Matches the id of an entity, by the study or patient column if possible. Entries about other entities may also
 * contain the study or patient.
 */
const ofEntity = ({ entity, entityId }: AuditFilters): Condition | undefined => {
  if (!entityId) return undefined;
  const namedEntity = sql<boolean>`entity_id = ${entityId} and entity_id <> '' and entity not in ('study', 'patient')`;
  if (!isId(entityId)) return namedEntity;
  if (entity === 'study') return sql`(study_id = ${entityId} and entity_id = ${entityId})`;
  if (entity === 'patient') return sql`(patient_id = ${entityId} and entity_id = ${entityId})`;
  if (entity) return namedEntity;
  return sql`entity_id = ${entityId} and (study_id = ${entityId} or patient_id = ${entityId} or ${namedEntity})`;
};

/**
 * Chooses the condition whose index is read: the first given one in the list below, where conditions that match fewer
 * entries come first. All other conditions are checked on each entry.
 */
const scanOf = (filters: AuditFilters, bearer: string | undefined): EntryScan => {
  const conditions = [
    filters.study && sql<boolean>`study_id = ${filters.study}`,
    filters.patient && sql<boolean>`patient_id = ${filters.patient}`,
    ofEntity(filters),
    filters.outcome === 'FAILURE' && sql<boolean>`outcome = 'FAILURE'`,
    filters.user && ofUser(filters.user, bearer),
    filters.action && sql<boolean>`action = ${filters.action}`,
    filters.ip && sql<boolean>`address = ${filters.ip}`,
  ].filter((condition): condition is Condition | Condition[] => Boolean(condition));
  const [leading = [], ...others] = conditions.map((condition) => (Array.isArray(condition) ? condition : [condition]));
  const unindexed = [
    filters.outcome === 'SUCCESS' && sql<boolean>`outcome = 'SUCCESS'`,
    filters.entity && sql<boolean>`entity = ${filters.entity}`,
  ].filter((condition): condition is Condition => Boolean(condition));
  return { along: leading, keeping: [...others.map(any), ...unindexed] };
};

/**
 * Returns the conditions on the time of an entry. Days are in the time zone of the tenant. The end of the days and the
 * cursor are joined to one bound. With two bounds, the index might start at the wrong one.
 */
const withinDays = (
  { from, to, before }: Pick<AuditQuery, 'from' | 'to' | 'before'>,
  timeZone: string,
): Condition[] => {
  const [first, last] = [from && readDayRange(from)?.from, to && readDayRange(to)?.to];
  const cursor = before ? readCursor(before) : undefined;
  const end = last && sql`(${last}::date + 1)::timestamp at time zone ${timeZone} - interval '1 microsecond'`;
  const start = cursor && sql`${momentOf(cursor.micros)}::timestamptz`;
  return [
    ...(first ? [sql<boolean>`created_at >= (${first}::date)::timestamp at time zone ${timeZone}`] : []),
    ...(end && !start ? [sql<boolean>`created_at <= ${end}`] : []),
    ...(end && start ? [sql<boolean>`created_at <= least(${end}, ${start})`] : []),
    ...(cursor && !end ? [olderThan(cursor)] : []),
    // Drops entries with the same time as the cursor, which the bound above includes.
    ...(cursor && start && end
      ? [sql<boolean>`(created_at < ${start} or created_at = ${start} and id < ${cursor.id}::bigint)`]
      : []),
  ];
};

type Cursor = { micros: bigint; id: string };

const readCursor = (text: string): Cursor => {
  const [micros = '0', id = '0'] = text.split('_');
  return { micros: BigInt(micros), id };
};

/** Formats a time with the microseconds of PostgreSQL. JavaScript has only milliseconds. */
const momentOf = (micros: bigint): string =>
  new Date(Number(micros / 1000n)).toISOString().replace('Z', `${String(micros % 1000n).padStart(3, '0')}Z`);

const olderThan = ({ micros, id }: Cursor): Condition =>
  sql`(created_at, id) < (${momentOf(micros)}::timestamptz, ${id}::bigint)`;

const micros = sql<string>`((extract(epoch from created_at) * 1000000)::bigint)::text`;
const newestFirst = sql`order by created_at desc, id desc`;

/** Returns the id of the user of the tenant who has this username now. */
const bearerOf = async ({ db }: ReadingScope, { user }: AuditQuery): Promise<string | undefined> => {
  if (!user || isId(user)) return undefined;
  const known = await db.selectFrom('users').select('id').where('username', '=', user).executeTakeFirst();
  return known?.id;
};

/** Selects at most the number of entries that one answer examines. Each condition in `along` uses its own index. */
const examined = (along: readonly Condition[], days: readonly Condition[]): RawBuilder<unknown> => {
  const sources = (along.length === 0 ? [sql<boolean>`true`] : along).map(
    (way) => sql`(select * from audit_entries where ${all([way, ...days])} ${newestFirst} limit ${mostExamined})`,
  );
  return sources.length === 1
    ? sql`${sources[0]} walked`
    : sql`(select * from (${sql.join(sources, sql` union all `)}) ways ${newestFirst} limit ${mostExamined}) walked`;
};

type AuditQuery = z.output<typeof auditSearch>;
export type EntryResult = { rows: StoredEntry[]; older: string | null; lookedBackTo: string | null };

const cursorOf = ({ micros: time, id }: { micros: string; id: number }): string => `${time}_${id}`;

/** Finds the entries of a search, newest first, within the limit of one answer. */
export const findEntries = async (scope: ReadingScope, query: AuditQuery): Promise<EntryResult> => {
  const { db, session } = scope;
  const { along, keeping } = scanOf(query, await bearerOf(scope, query));
  const entries = examined(along, withinDays(query, session.timeZone));
  const { size, page } = query;
  const { rows } = await sql<StoredEntry>`
    select *, ${micros} as micros from ${entries}
    where ${all([...keeping, isNotBlinded(session)])} ${newestFirst} limit ${size + 1} offset ${page * size}`.execute(
    db,
  );
  const last = rows[size - 1];
  if (rows.length > size && last) return { rows: rows.slice(0, size), older: cursorOf(last), lookedBackTo: null };
  const end = await sql<{ micros: string; id: number }>`
    select ${micros} as micros, id from ${entries} ${newestFirst}
    limit 1 offset ${mostExamined - 1}`.execute(db);
  const [stop] = end.rows;
  if (!stop) return { rows, older: null, lookedBackTo: null };
  return { rows, older: cursorOf(stop), lookedBackTo: new Date(Number(BigInt(stop.micros) / 1000n)).toISOString() };
};

/** Returns one page of the audit. */
export const list = async (scope: ReadingScope, query: AuditQuery): Promise<AuditPage> => {
  const { rows, older, lookedBackTo } = await findEntries(scope, query);
  return { content: await toEntries(scope, rows), number: query.page, size: query.size, older, lookedBackTo };
};
