import { createHash } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { CompiledQuery, Kysely, PostgresDialect, sql, Transaction } from 'kysely';
import pg from 'pg';
import type { DB, Patients, Studies } from './schema.ts';

// What PostgreSQL sends, as the contract wants it: whole numbers as numbers, times as ISO text, and dates and
// zone-less times as they stand, since turning them into a Date would move them to the server's zone.
const { builtins } = pg.types;
pg.types.setTypeParser(builtins.INT8, Number);
pg.types.setTypeParser(builtins.TIMESTAMPTZ, (text) => new Date(text).toISOString());
pg.types.setTypeParser(builtins.TIMESTAMP, (text) => text.replace(' ', 'T'));
pg.types.setTypeParser(builtins.DATE, (text) => text);

/** The tables, and the views through which text is searched (migrations/0003_archive.sql). */
export type Schema = DB & { patient_search: Patients; study_search: Studies };

export type Database = Kysely<Schema>;

/** See `prepared`. */
export const preparedMark = '/* prepared */';

/** The role that requests run as; see migrations/0001_tenancy.sql. */
export const servingRole = 'radwork_app';

/**
 * Opens the pool that serves requests: its connections are the unprivileged role from their first statement on. None of
 * its statements takes long enough to be worth compiling, which took 200 ms of lists that take 5.
 */
export const openServingPool = (url: string, size = 20): pg.Pool =>
  openPool({ connectionString: url, max: size, options: `-c role=${servingRole} -c jit=off` });

/**
 * Opens one connection apart from those that serve, by which it is seen whether the database answers; the serving ones
 * may all be busy. What takes longer fails, and the connection with it.
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

/** Opens a pool with the rights of the database's owner: to make tenants, which belong to no tenant, and for nothing else. */
export const openOwnerPool = (url: string): pg.Pool => openPool({ connectionString: url, max: 2 });

/**
 * By which both ends of a connection give up one that fell silent, after half a minute (seconds, and milliseconds). A server
 * that lost its power or its network in a transaction would keep its locks for the two hours of the system's own rule, and
 * uploads of the same study, then of the tenant, wait for them. Of no effect on the sockets of one machine.
 */
export const endingWhenSilent = {
  options: '-c tcp_keepalives_idle=15 -c tcp_keepalives_interval=5 -c tcp_keepalives_count=3 -c tcp_user_timeout=30000',
  keepAlive: true,
  keepAliveInitialDelayMillis: 15_000,
};

/**
 * A connection that breaks fails the query that is on it, or is replaced at the next one. Without a listener it
 * would end the process: on the pool while it is idle, on itself while somebody has it for a transaction.
 *
 * Statements that do not wait for one another are sent together (pipeline); see `inTransaction`.
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
 * Put at the end of a statement, it says that each connection is to parse and plan it once and keep it, by a name made
 * of its text. For statements that run for every file or frame, with one text and one good plan whatever the values:
 * rows by their keys. Not for a search whose plan depends on what is searched for (search-lists.ts has those that do not).
 */
export const prepared = sql.raw(preparedMark);

/** Statements have few texts; each is digested once. */
const names = new Map<string, string>();

const nameOf = (text: string): string => {
  const name = names.get(text) ?? createHash('sha256').update(text).digest('hex').slice(0, 32);
  names.set(text, name);
  return name;
};

/** Makes a connection keep the statements that are marked as prepared, and send those that are asked for at once as one. */
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

/** Ends a connection that has prepared a statement about a table which a newer server has changed since. */
const endingWhenOutdated = (client: pg.ClientBase, answer: unknown): unknown => {
  if (answer instanceof Promise) answer.catch((error: unknown) => isOutdated(error) && streamOf(client)?.destroy());
  // The answer itself, and not what follows it: of several errors the first is to be heard first.
  return answer;
};

/** Whether PostgreSQL answered with this SQLSTATE. */
export const hasSqlState = (error: unknown, code: string): boolean =>
  error instanceof Error && 'code' in error && error.code === code;

const isOutdated = (error: unknown): boolean => hasSqlState(error, '0A000');

const streamOf = (client: pg.ClientBase) =>
  'connection' in client ? (client.connection as pg.Connection).stream : undefined;

/** Holds back what is written until no more is asked for at this moment: it costs one trip to the network, not many. */
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

/** What a transaction is made of besides its connection. It never opens one by this. */
const dialect = new PostgresDialect({ pool: () => Promise.reject(new Error('A transaction opens no connections')) });
const transactionParts = { config: { dialect }, dialect, driver: dialect.createDriver() };

type Terms = {
  /** The tenant that it is confined to. Without one it sees no tenant's rows. */
  tenantId?: number;
  /** Whether it can only read. */
  isReading?: boolean;
  /** Whether it asks all that it asks at once, so that its end goes out with it: one trip to the database, not two. */
  isAskedAtOnce?: boolean;
};

/** One text, which is answered once; the setting ends with the transaction. */
const beginningOf = ({ tenantId, isReading = false }: Terms): string => {
  const begin = isReading ? 'begin read only' : 'begin';
  if (tenantId === undefined) return begin;
  if (!Number.isSafeInteger(tenantId)) throw new Error('A tenant is known by a whole number');
  return `${begin}; set local app.tenant_id = '${tenantId}'`;
};

/**
 * Runs work in a transaction of its own. Statements that are not waited for go to the database at once, in the order in
 * which they are asked for, from the beginning of the transaction on; each sees what those before it did, and none runs
 * after one that failed. Kysely alone keeps each back until the one before it has been answered, which is most of the
 * time that a small upload takes.
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
      // From now on nothing of the work reaches the connection, which somebody else has next.
      isOver = true;
      return connection.executeQuery<{ command: string }>(CompiledQuery.raw(words));
    };
    try {
      const begun = db.executeQuery(CompiledQuery.raw(beginningOf(terms)));
      const worked = work(db);
      const ended = terms.isAskedAtOnce ? end('commit') : undefined;
      const [, value] = await Promise.all([begun, worked, ended]);
      // Whoever reads has been given the result: it is sent on before the database is written to again.
      if (terms.isReading && !ended) await setImmediate();
      const { rows } = await (ended ?? end('commit'));
      // PostgreSQL answers so, and with no error, when a statement had failed that nobody waited for.
      if (rows[0]?.command !== 'COMMIT') throw new Error('The transaction was rolled back');
      return value;
    } catch (error) {
      // A connection that cannot roll back has ended already, or is not to be used again.
      await end('rollback').catch(() => end('select pg_terminate_backend(pg_backend_pid())').catch(() => {}));
      // Those sent after a statement that failed say no more than that; whichever is heard first.
      throw isAboutEarlier(error) ? cause : error;
    }
  });

/** Whether PostgreSQL has ended a transaction since it and another waited for each other. It can be done again. */
export const isDeadlock = (error: unknown): boolean => hasSqlState(error, '40P01');

/** Whether a statement has taken longer than it may (query_canceled). */
export const isCancelled = (error: unknown): boolean => hasSqlState(error, '57014');

/**
 * Whether the database refuses what is to be written for what it is, and would again: data (class 22 of its errors), a
 * constraint (23), or what is too long for an index (54).
 */
export const isValueError = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && /^(22|23|54)/.test(String(error.code));

/** Whether the database does not do what it is asked, whatever is to be written: it may do so another time. */
export const isDatabaseFault = (error: unknown): boolean => error instanceof pg.DatabaseError && !isValueError(error);

/** PostgreSQL's error for what is asked after an error (in_failed_sql_transaction). */
const isAboutEarlier = (error: unknown): boolean => hasSqlState(error, '25P02');

/**
 * Refuses to go on when the role that serves requests could see past row-level security: as a superuser, by
 * BYPASSRLS, as the owner of a table, or because a tenant's table is not behind it.
 */
export const assertConfined = async (pool: pg.Pool): Promise<void> => {
  const { rows: roles } = await pool.query<{ name: string; unconfined: boolean }>(
    `select current_user as name, rolsuper or rolbypassrls as unconfined from pg_roles where rolname = current_user`,
  );
  const [role] = roles;
  if (!role || role.unconfined || role.name !== servingRole) {
    throw new Error(
      `Radwork will not start: the database role ${role?.name} that serves requests could see every tenant's rows`,
    );
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
      `Radwork will not start: row-level security does not hold on ${tables.map(({ name }) => name).join(', ')}`,
    );
  }
};
