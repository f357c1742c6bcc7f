import { createHash } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { CompiledQuery, Kysely, PostgresDialect, sql, Transaction } from 'kysely';
import pg from 'pg';
import type { DB, Patients, Studies } from './schema.ts';

// Parses database values as the contract defines them: whole numbers as numbers, times as ISO text. Dates and times
// without zone stay text, because a Date would shift them to the time zone of the server.
const { builtins } = pg.types;
pg.types.setTypeParser(builtins.INT8, Number);
pg.types.setTypeParser(builtins.TIMESTAMPTZ, (text) => new Date(text).toISOString());
pg.types.setTypeParser(builtins.TIMESTAMP, (text) => text.replace(' ', 'T'));
pg.types.setTypeParser(builtins.DATE, (text) => text);

/** The tables, and the views for text search (migrations/0003_archive.sql). */
export type Schema = DB & { patient_search: Patients; study_search: Studies };

export type Database = Kysely<Schema>;

/** Ends the text of a statement that connections keep prepared; see `prepared`. */
export const preparedMark = '/* prepared */';

/** The database role of requests; see migrations/0001_tenancy.sql. */
export const servingRole = 'radwork_app';

/** The database role of requests of users who are limited to groups; see migrations/0117_groups.sql. */
export const limitedRole = 'radwork_limited';

/**
 * Opens the pool that serves requests. Its connections use the unprivileged role from the first statement on. JIT is
 * off, because its compilation took 200 ms for lists that take 5 ms.
 */
export const openServingPool = (url: string, size = 20): pg.Pool =>
  openPool({ connectionString: url, max: size, options: `-c role=${servingRole} -c jit=off` });

/**
 * Opens a separate connection for health probes, because all serving connections may be busy. A query above the time
 * limit fails and ends the connection.
 */
export const openProbePool = (url: string, withinMs: number): pg.Pool => {
  const pool = new pg.Pool({
    connectionString: url,
    max: 1,
    options: `-c role=${servingRole}`,
    connectionTimeoutMillis: withinMs,
    query_timeout: withinMs,
  });
  pool.on('error', () => {});
  return pool;
};

/**
 * Opens a pool with the rights of the database owner, for start-up tasks and for commands across tenants. Requests do
 * not use it.
 */
export const openOwnerPool = (url: string): pg.Pool => openPool({ connectionString: url, max: 2 });

/**
 * Client and database close a silent connection after half a minute (values in seconds and milliseconds). Otherwise a
 * server without power or network would keep its locks for two hours, the system default. Uploads of the same study
 * would wait for these locks, and then all uploads of the tenant. Has no effect on sockets within one machine.
 */
export const endingWhenSilent = {
  options: '-c tcp_keepalives_idle=15 -c tcp_keepalives_interval=5 -c tcp_keepalives_count=3 -c tcp_user_timeout=30000',
  keepAlive: true,
  keepAliveInitialDelayMillis: 15_000,
};

/**
 * Opens a pool. When a connection breaks, its current query fails; an idle connection is replaced at the next query.
 * Error listeners on the pool and on each client prevent the end of the process.
 *
 * Statements that do not await each other are sent together (pipeline); see `inTransaction`.
 */
const openPool = (options: pg.PoolConfig): pg.Pool => {
  const settings = [options.options, endingWhenSilent.options].filter(Boolean).join(' ');
  const pool = new pg.Pool({ ...options, ...endingWhenSilent, options: settings, pipeline: true });
  pool.on('error', () => {});
  pool.on('connect', (client) => {
    client.on('error', () => {});
    tune(client);
  });
  return pool;
};

/**
 * Marks a statement to be parsed and planned once per connection. The name is derived from the text. Use it for
 * frequent statements with a fixed text for which one plan is always good, such as rows by key. Do not use it when the
 * best plan depends on the searched value; study-lists.ts has exceptions.
 */
export const prepared = sql.raw(preparedMark);

/** There are few statement texts, so each is hashed once. */
const names = new Map<string, string>();

const nameOf = (text: string): string => {
  const name = names.get(text) ?? createHash('sha256').update(text).digest('hex').slice(0, 32);
  names.set(text, name);
  return name;
};

/** Makes a connection keep marked statements prepared, and send simultaneous statements in one write. */
const tune = (client: pg.ClientBase) => {
  const query: (...args: never[]) => unknown = client.query.bind(client);
  const holdBack = sendingTogether(client);
  const send = (...args: unknown[]): unknown => {
    holdBack();
    return Reflect.apply(query, undefined, args);
  };
  Object.assign(client, {
    query: (text: unknown, values: unknown, ...more: unknown[]) =>
      typeof text === 'string' && text.endsWith(preparedMark)
        ? endingWhenOutdated(client, send({ name: nameOf(text), text, values }))
        : send(text, values, ...more),
  });
};

/** Ends a connection when a newer server has changed a table of its prepared statement. */
const endingWhenOutdated = (client: pg.ClientBase, answer: unknown): unknown => {
  if (answer instanceof Promise) answer.catch((error: unknown) => isOutdated(error) && streamOf(client)?.destroy());
  // Returns the original promise. A promise derived from it would settle later, so the caller could receive a later
  // error first.
  return answer;
};

/** True when PostgreSQL answered with this SQLSTATE. */
export const hasSqlState = (error: unknown, code: string): boolean =>
  error instanceof Error && 'code' in error && error.code === code;

const isOutdated = (error: unknown): boolean => hasSqlState(error, '0A000');

const streamOf = (client: pg.ClientBase) =>
  'connection' in client ? (client.connection as pg.Connection).stream : undefined;

/** Delays writes to the end of the current tick, so that all of them need one network round trip. */
const sendingTogether = (client: pg.ClientBase) => {
  let isHeld = false;
  return () => {
    const stream = streamOf(client);
    if (isHeld || !stream) return;
    isHeld = true;
    stream.cork();
    process.nextTick(() => {
      isHeld = false;
      stream.uncork();
    });
  };
};

export const kyselyOn = (pool: pg.Pool): Database => new Kysely<Schema>({ dialect: new PostgresDialect({ pool }) });

/** Parts of Kysely for a transaction. They open no connection. */
const dialect = new PostgresDialect({ pool: () => Promise.reject(new Error('A transaction opens no connections')) });
const transactionParts = { config: { dialect }, dialect, driver: dialect.createDriver() };

/** Restricts a transaction to the studies of these groups. Row-level security hides all other studies. */
export type StudyLimit = { groupIds: readonly string[]; userId: string };

type Terms = {
  /** Restricts the transaction to a tenant. Without a tenant, no rows of tenants are visible. */
  tenantId?: number;
  /** Default: all studies of the tenant. */
  limit?: StudyLimit | undefined;
  /** Groups of the studies and patients that the transaction creates. Default: those of the limit. */
  newStudyGroups?: readonly string[] | undefined;
  /** Makes the transaction read-only. */
  isReading?: boolean;
  /** True to send all statements and the commit at once, which saves a round trip. */
  isSentAtOnce?: boolean;
};

/**
 * Returns the statements that begin a transaction as one text, so that they need one reply. The setting of the tenant
 * ends with the transaction.
 */
const beginningOf = ({ tenantId, limit, newStudyGroups = limit?.groupIds, isReading = false }: Terms): string => {
  const begin = isReading ? 'begin read only' : 'begin';
  if (tenantId === undefined) return begin;
  if (!Number.isSafeInteger(tenantId)) throw new Error('A tenant is known by a whole number');
  const ofNew = newStudyGroups?.length ? `; set local app.new_study_groups = '${listOf(newStudyGroups)}'` : '';
  return `${begin}; set local app.tenant_id = '${tenantId}'${ofNew}${limit ? limitedBy(limit) : ''}`;
};

/**
 * Returns the statements that limit a transaction. Its role has restrictive policies on all tables of studies. Its search
 * path finds the search views that have the same condition.
 */
const limitedBy = ({ groupIds, userId }: StudyLimit): string =>
  `; set local app.study_groups = '${listOf(groupIds)}'; set local app.user_id = '${userId && idOf(userId)}'` +
  `; set local search_path = limited, public; set local role ${limitedRole}`;

const listOf = (ids: readonly string[]): string => `{${ids.map(idOf).join(',')}}`;

const idOf = (id: string): string => {
  if (!/^[\da-f-]{36}$/i.test(id)) throw new Error('A group and a user are known by a UUID');
  return id;
};

/**
 * Runs work in a transaction. Statements that are not awaited are sent at once, in order. Each statement sees the
 * effects of earlier ones, and none runs after a failure. Kysely alone would await every reply, which takes most of the
 * time of a small upload.
 */
export const inTransaction = <T>(
  database: Database,
  terms: Terms,
  work: (db: Transaction<Schema>) => Promise<T>,
): Promise<T> =>
  database.connection().execute(async (kysely) => {
    const executor = kysely.getExecutor();
    const connection = await executor.provideConnection(async (own) => own);
    let isOver = false;
    let cause: unknown;
    const withoutWaiting = executor.withConnectionProvider({
      provideConnection: async (use) => {
        if (isOver) throw new Error('The transaction is over');
        return use(connection).catch((error: unknown) => {
          cause ??= error;
          throw error;
        });
      },
    });
    const db = new Transaction<Schema>({ ...transactionParts, executor: withoutWaiting });
    const end = async (words: string) => {
      // From here on, statements of this work must not reach the connection, because other work may use it next.
      isOver = true;
      return connection.executeQuery<{ command: string }>(CompiledQuery.raw(words));
    };
    try {
      const beginning = db.executeQuery(CompiledQuery.raw(beginningOf(terms)));
      const worked = work(db);
      const ended = terms.isSentAtOnce ? end('commit') : undefined;
      const [, value] = await Promise.all([beginning, worked, ended]);
      // A caller of `reading` already has the result. The pause lets the server send its reply before the commit.
      if (terms.isReading && !ended) await setImmediate();
      const { rows } = await (ended ?? end('commit'));
      // PostgreSQL confirms ROLLBACK without an error when a statement that was not awaited had failed.
      if (rows[0]?.command !== 'COMMIT') throw new Error('The transaction was rolled back');
      return value;
    } catch (error) {
      // If a connection fails to roll back, it is ended and not used again.
      await end('rollback').catch(() => end('select pg_terminate_backend(pg_backend_pid())').catch(() => {}));
      // A statement that follows a failed statement reports only that an earlier one failed. The original error is
      // thrown instead.
      throw isAboutEarlier(error) ? cause : error;
    }
  });

/** True when PostgreSQL ended the transaction because of a deadlock. The transaction can be retried. */
export const isDeadlock = (error: unknown): boolean => hasSqlState(error, '40P01');

/** True when a statement exceeded its time limit (query_canceled). */
export const isCanceled = (error: unknown): boolean => hasSqlState(error, '57014');

/**
 * True when the database would reject the value again: invalid data (error class 22), a violated constraint (23), or a
 * value that is too long for an index (54).
 */
export const isValueError = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && /^(22|23|54)/.test(String(error.code));

/** True when the database fails for a reason other than the value. A retry may succeed. */
export const isDatabaseFault = (error: unknown): boolean => error instanceof pg.DatabaseError && !isValueError(error);

/** The error for a statement that follows a failed statement (in_failed_sql_transaction). */
const isAboutEarlier = (error: unknown): boolean => hasSqlState(error, '25P02');

/**
 * Throws when the serving role could bypass row-level security: as superuser, by BYPASSRLS, as owner of a table, or
 * because a tenant table has no such security.
 */
export const assertConfined = async (pool: pg.Pool): Promise<void> => {
  const { rows: roles } = await pool.query<{ name: string; unconfined: boolean }>(
    `select current_user as name, rolsuper or rolbypassrls as unconfined from pg_roles where rolname = current_user`,
  );
  const [role] = roles;
  if (!role || role.unconfined || role.name !== servingRole) {
    throw new Error(`Radwork cannot start: the serving database role ${role?.name} could see the rows of every tenant`);
  }
  const { rows: limited } = await pool.query(
    `select from pg_roles where rolname = $1 and (rolsuper or rolbypassrls or rolcreaterole)`,
    [limitedRole],
  );
  if (limited.length > 0) {
    throw new Error(`Radwork cannot start: the database role ${limitedRole} could see hidden studies`);
  }
  const { rows: tables } = await pool.query<{ name: string }>(
    `select c.relname as name from pg_class c
     where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p')
       and (c.relowner = (select oid from pg_roles where rolname = current_user)
            or not c.relrowsecurity and exists (
              select 1 from pg_attribute a where a.attrelid = c.oid and a.attname = 'tenant_id' and not a.attisdropped))`,
  );
  if (tables.length > 0) {
    throw new Error(
      `Radwork cannot start: row-level security does not protect ${tables.map(({ name }) => name).join(', ')}`,
    );
  }
};
