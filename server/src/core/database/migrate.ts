import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import pg from 'pg';
import { endingWhenSilent } from './database.ts';

const folder = resolve(import.meta.dirname, '../../../migrations');

/** A numbered SQL file. `sha256` is the hash of its text with Unix line ends. */
type Migration = { name: string; sha256: string; text: string };

/** Returns the names of the migrations of this version in order. */
export const knownMigrations = async (): Promise<string[]> =>
  (await readdir(folder)).filter((name) => name.endsWith('.sql')).toSorted();

/** Reads the migrations of this version with their text. */
export const readMigrations = async (): Promise<Migration[]> =>
  Promise.all(
    (await knownMigrations()).map(async (name) => {
      const text = await readFile(join(folder, name), 'utf8');
      return { name, text, sha256: createHash('sha256').update(text.replaceAll('\r\n', '\n')).digest('hex') };
    }),
  );

/** Returns the migrations that have run on a database. */
export const appliedMigrations = async (client: pg.ClientBase): Promise<Pick<Migration, 'name' | 'sha256'>[]> => {
  const { rows: tables } = await client.query<{ is: boolean }>(
    `select to_regclass('schema_migrations') is not null as is`,
  );
  if (!tables[0]?.is) return [];
  const { rows } = await client.query<Pick<Migration, 'name' | 'sha256'>>(
    'select name, sha256 from schema_migrations order by name',
  );
  return rows;
};

/** True when exactly the migrations of this version have run. */
export const isOfThisVersion = async (client: pg.ClientBase): Promise<boolean> => {
  const applied = (await appliedMigrations(client)).map(({ name }) => name);
  return isDeepStrictEqual(applied, await knownMigrations());
};

/** The lock held while a database is migrated, and by work that must not overlap with a migration. */
export const migrationsTurn = `hashtext('radwork-migrations')`;

/**
 * Brings the database to this version. Runs each missing SQL file in its own transaction, under one lock, so that
 * several servers may start at once. Migrations only go forward. Throws when a file was changed after it ran, or when
 * the database is newer than this version.
 */
export const migrate = (url: string): Promise<string[]> =>
  withClient(url, async (client) => {
    // A server with nothing to migrate does not wait for a backup, which holds the lock.
    if (await isCurrent(client)) return [];
    await client.query(`select pg_advisory_lock(${migrationsTurn})`);
    return runMigrations(client);
  });

/**
 * Migrates like `migrate`, for a caller that holds the lock. `only` limits the migrations, because a backup is loaded
 * into the tables of its own version.
 */
export const migrateInTurn = (url: string, only?: ReadonlySet<string>): Promise<string[]> =>
  withClient(url, (client) => runMigrations(client, only));

/**
 * Runs migrations in a transaction that is rolled back, and returns what `look` sees. The caller must hold the lock.
 */
export const tryMigrations = <T>(
  url: string,
  only: ReadonlySet<string>,
  look: (client: pg.ClientBase) => Promise<T>,
): Promise<T> =>
  withClient(url, async (client) => {
    await client.query('begin');
    for (const migration of await pendingMigrations(client, only)) await apply(client, migration);
    const result = await look(client);
    await client.query('rollback');
    return result;
  });

const withClient = async <T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> => {
  const client = new pg.Client({ connectionString: url, ...endingWhenSilent });
  // Prevents an uncaught error event. The query in progress reports the error.
  client.on('error', () => {});
  await client.connect();
  try {
    await assertKnowsLetters(client);
    return await work(client);
  } finally {
    await client.end();
  }
};

const isCurrent = async (client: pg.ClientBase): Promise<boolean> => {
  const known = (await readMigrations()).map(({ name, sha256 }) => ({ name, sha256 }));
  return isDeepStrictEqual(known, await appliedMigrations(client));
};

const runMigrations = async (client: pg.Client, only?: ReadonlySet<string>): Promise<string[]> => {
  const pending = await pendingMigrations(client, only);
  for (const migration of pending) await applyWholly(client, migration);
  return pending.map(({ name }) => name);
};

/** Creates the table of applied migrations if it is missing. */
export const makeMigrationsTable = (client: pg.ClientBase) =>
  client.query(`
      create table if not exists schema_migrations (
        name text primary key, sha256 text not null, applied_at timestamptz not null default now())`);

const pendingMigrations = async (client: pg.Client, only?: ReadonlySet<string>): Promise<Migration[]> => {
  await makeMigrationsTable(client);
  const applied = new Map((await appliedMigrations(client)).map(({ name, sha256 }) => [name, sha256]));
  const known = await readMigrations();
  refuseNewer(
    applied,
    known.map(({ name }) => name),
  );
  const pending: Migration[] = [];
  for (const migration of known) {
    const before = applied.get(migration.name);
    if (before === migration.sha256) continue;
    if (before) throw new Error(`Migration ${migration.name} was changed after it ran on this database`);
    if (!only || only.has(migration.name)) pending.push(migration);
  }
  return pending;
};

/**
 * Throws unless the database uses UTF-8 and a locale that maps case. Names in every language are stored, and searched
 * without case.
 */
const assertKnowsLetters = async (client: pg.Client) => {
  const { rows } = await client.query<{ knows: boolean }>(
    `select current_setting('server_encoding') = 'UTF8' and lower($1) = $2 as knows`,
    ['ÖЖ', 'öж'],
  );
  if (rows[0]?.knows) return;
  throw new Error(
    `The database cannot distinguish upper and lower case in all languages. Create it with encoding UTF8 and a UTF-8 locale, such as C.UTF-8`,
  );
};

const refuseNewer = (applied: Map<string, string>, files: string[]) => {
  const unknown = [...applied.keys()].filter((name) => !files.includes(name));
  if (unknown.length > 0) throw new Error(`The database is newer than this version of Radwork: ${unknown.join(', ')}`);
};

const applyWholly = async (client: pg.Client, migration: Migration) => {
  await client.query('begin');
  try {
    await apply(client, migration);
    await client.query('commit');
  } catch (error) {
    await client.query('rollback');
    throw error;
  }
};

const apply = async (client: pg.Client, { name, text, sha256 }: Migration) => {
  try {
    await client.query(text);
    await client.query('insert into schema_migrations (name, sha256) values ($1, $2)', [name, sha256]);
  } catch (error) {
    throw new Error(`Migration ${name} failed: ${error instanceof Error ? error.message : String(error)}`, {
      cause: error,
    });
  }
};
