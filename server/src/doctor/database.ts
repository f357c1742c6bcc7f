import pg from 'pg';
import { appliedMigrations, readMigrations } from '#core/database/migrate.ts';
import { assertConfined, limitedRole, openServingPool, servingRole } from '#core/database/database.ts';
import { codeOf, type Finding, ok, warning, wrong } from './finding.ts';

/** How to fix a refused connection, by error code (PostgreSQL, appendix A). */
const refusals: Record<string, string> = {
  '28P01': 'it refuses the password of DATABASE_URL. Correct it, or set a new one with: alter role … password …',
  '28000': 'it does not accept this role from this machine. Check its pg_hba.conf.',
  '3D000': 'the database does not exist. Create it with: create database …',
  ECONNREFUSED: 'the port does not answer. Start PostgreSQL, or correct host and port in DATABASE_URL.',
  ENOTFOUND: 'the host name is unknown. Correct the host in DATABASE_URL.',
  ENOENT: 'its socket is missing. Start PostgreSQL, or correct the host in DATABASE_URL.',
  ETIMEDOUT: 'it does not answer. A firewall may block the connection.',
  '53300': 'all connections are in use. Raise max_connections, or find the program that uses them.',
  '57P03': 'it is still starting. Try again in a moment.',
};

export const connectToDatabase = async (url: string): Promise<pg.Client | Finding> => {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5000, query_timeout: 10_000 });
  client.on('error', () => {});
  try {
    await client.connect();
    return client;
  } catch (error) {
    const isSilent = error instanceof Error && error.message.includes('timeout');
    const code = isSilent ? 'ETIMEDOUT' : codeOf(error);
    return wrong('database', `PostgreSQL cannot be used: ${refusals[code] ?? `the connection fails (${code}).`}`);
  }
};

/** Runs all checks inside the database. */
export const examineDatabase = async (client: pg.Client, url: string): Promise<Finding[]> => {
  const isMade = await hasTable(client, 'schema_migrations');
  return [
    ok('database', 'PostgreSQL answers.'),
    await examineVersion(client),
    await examineEncoding(client),
    await examineTrigrams(client),
    await examineMigrations(client, isMade),
    isMade ? await examineConfinement(url) : await examineRights(client),
    await examineClock(client),
  ];
};

export const hasTable = async (client: pg.Client, name: string): Promise<boolean> =>
  (await valueOf<string | null>(client, `select to_regclass('public.' || $1)::text as value`, [name])) !== null;

const valueOf = async <T>(client: pg.Client, query: string, values: unknown[] = []): Promise<T | undefined> => {
  const { rows } = await client.query<{ value: T }>(query, values);
  return rows[0]?.value;
};

const oldest = 150_000;

const examineVersion = async (client: pg.Client): Promise<Finding> => {
  const version = (await valueOf<number>(client, `select current_setting('server_version_num')::int as value`)) ?? 0;
  const words = `PostgreSQL ${Math.floor(version / 10_000)}`;
  if (version < oldest) return wrong('database version', `${words} is too old. Radwork needs PostgreSQL 15 or later.`);
  return ok('database version', `${words} is supported.`);
};

const examineEncoding = async (client: pg.Client): Promise<Finding> => {
  const knows = await valueOf<boolean>(
    client,
    `select current_setting('server_encoding') = 'UTF8' and lower($1) = $2 as value`,
    ['ÖЖ', 'öж'],
  );
  if (knows) return ok('database encoding', 'UTF8, with a locale for all languages.');
  return wrong(
    'database encoding',
    'The database cannot distinguish upper and lower case in all languages. Create another with encoding UTF8 and a UTF-8 locale, such as C.UTF-8.',
  );
};

const examineTrigrams = async (client: pg.Client): Promise<Finding> => {
  const isThere = await valueOf<boolean>(
    client,
    `select exists (select from pg_available_extensions where name = 'pg_trgm') as value`,
  );
  if (isThere) return ok('pg_trgm', 'The extension for text search is available.');
  return wrong('pg_trgm', 'The extension pg_trgm is missing. Install the contrib package of this PostgreSQL.');
};

const examineMigrations = async (client: pg.Client, isMade: boolean): Promise<Finding> => {
  if (!isMade) return warning('migrations', 'The database is empty. The first start creates its tables.');
  const applied = new Map((await appliedMigrations(client)).map(({ name, sha256 }) => [name, sha256]));
  const known = new Map((await readMigrations()).map(({ name, sha256 }) => [name, sha256]));
  const newer = [...applied.keys()].filter((name) => !known.has(name));
  const missing = [...known.keys()].filter((name) => !applied.has(name));
  const changed = [...known].filter(([name, sha256]) => (applied.get(name) ?? sha256) !== sha256).map(([name]) => name);
  if (newer.length > 0) {
    return wrong(
      'migrations',
      `The database is newer than this version of Radwork (${newer.join(', ')}). Run the newer version.`,
    );
  }
  if (changed.length > 0) {
    return wrong(
      'migrations',
      `These migrations were changed after they ran: ${changed.join(', ')}. Run a released version.`,
    );
  }
  if (missing.length > 0)
    return warning('migrations', `The next start applies these migrations: ${missing.join(', ')}.`);
  return ok('migrations', 'The database matches this version.');
};

const examineConfinement = async (url: string): Promise<Finding> => {
  const pool = openServingPool(url, 1);
  try {
    await assertConfined(pool);
    return ok('row-level security', 'The serving role sees one tenant at a time.');
  } catch (error) {
    const [, reason] = /^Radwork cannot start: (.+)$/.exec(error instanceof Error ? error.message : '') ?? [];
    return wrong(
      'row-level security',
      `Radwork cannot start: ${reason ?? `the role ${servingRole} cannot be used (${codeOf(error)})`}.`,
    );
  } finally {
    await pool.end();
  }
};

/** Checks the rights that the first start needs. */
const examineRights = async (client: pg.Client): Promise<Finding> => {
  const may = await valueOf<boolean>(
    client,
    `select (rolsuper or rolcreaterole or (select count(*) from pg_roles where rolname = any($1)) = 2)
            and has_schema_privilege('public', 'create') as value
     from pg_roles where rolname = current_user`,
    [[servingRole, limitedRole]],
  );
  if (may) return ok('database rights', 'The role of DATABASE_URL can create the tables and the serving roles.');
  return wrong('database rights', 'The role of DATABASE_URL must own the database and have CREATEROLE.');
};

const examineClock = async (client: pg.Client): Promise<Finding> => {
  const startedAt = Date.now();
  const databaseTime =
    (await valueOf<number>(client, 'select extract(epoch from clock_timestamp())::float8 * 1000 as value')) ?? 0;
  const apart = Math.abs(databaseTime - (startedAt + Date.now()) / 2) / 1000;
  const words = `The clocks of server and database differ by ${apart.toFixed(1)} s`;
  if (apart > 30) return wrong('clock', `${words}: one-time codes and sessions fail. Synchronize both by NTP.`);
  if (apart > 2) return warning('clock', `${words}. Synchronize both by NTP.`);
  return ok('clock', 'The clocks of server and database agree.');
};
