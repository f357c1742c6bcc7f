import { setTimeout as wait } from 'node:timers/promises';
import type pg from 'pg';
import { ConfigError } from '#core/config/config-error.ts';
import { appliedMigrations, migrationsTurn } from '#core/database/migrate.ts';
import { type Installation, installationOf } from './database-facts.ts';
import type { Manifest } from './manifest.ts';

/* Conditions that a database must meet before a restore. */

const isThere = async (client: pg.ClientBase, table: string): Promise<boolean> => {
  const { rows } = await client.query<{ is: boolean }>('select to_regclass($1) is not null as is', [table]);
  return rows[0]?.is ?? false;
};

/** Undefined if no server has ever started on the database. */
export const installationIn = async (client: pg.ClientBase): Promise<Installation | undefined> =>
  (await isThere(client, 'installation')) ? installationOf(client) : undefined;

/**
 * Throws a ConfigError when a restore could overwrite data. Accepts a database that a server has prepared but not used.
 * Refuses a database that was prepared by a newer version than that of the backup, because migrations only go forward.
 */
export const refuseUnlessEmpty = async (client: pg.ClientBase, { migrations }: Manifest): Promise<void> => {
  const applied = await appliedMigrations(client);
  const { rows: others } = await client.query<{ name: string }>(
    `select relname::text as name from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')
       and relname <> 'schema_migrations' order by 1 limit 1`,
  );
  const [other] = others;
  if (applied.length === 0 && other)
    throw new ConfigError(`The database contains another table: ${other.name}. Name an empty database.`);
  if (await isThere(client, 'tenants')) await assertNoTenants(client);
  const own = new Set(migrations.map(({ name }) => name));
  if (applied.every(({ name }) => own.has(name))) return;
  throw new ConfigError(
    'The database was prepared by a newer version of Radwork than the backup. Name an empty database.',
  );
};

/**
 * Throws a ConfigError if a tenant exists. Looking for tenants is enough, because users can write rows only after the
 * first tenant exists.
 */
export const assertNoTenants = async (client: pg.ClientBase): Promise<void> => {
  const { rowCount } = await client.query('select from tenants limit 1');
  if (rowCount === 0) return;
  throw new ConfigError('The database is not empty. Name an empty database.');
};

/** Milliseconds to wait until other connections close. The connection of a killed process stays open for a moment. */
const patience = 5000;

/**
 * Throws a ConfigError when another client uses the database, because that client would not notice that the data was
 * replaced.
 */
export const assertNoOtherConnections = async (client: pg.ClientBase): Promise<void> => {
  const others = async () => {
    const { rowCount } = await client.query(
      `select from pg_stat_activity
       where datname = current_database() and backend_type = 'client backend' and pid <> pg_backend_pid()`,
    );
    return rowCount ?? 0;
  };
  for (const end = Date.now() + patience; (await others()) > 0; await wait(100)) {
    if (Date.now() < end) continue;
    throw somebodyElse();
  }
};

const somebodyElse = () => new ConfigError('The database is in use. Stop the server first.');

/**
 * Makes the migrations of a starting server wait until this connection ends. Throws a ConfigError when another process
 * holds the lock of the migrations.
 */
export const holdMigrations = async (client: pg.ClientBase): Promise<void> => {
  const { rows } = await client.query<{ isOurs: boolean }>(
    `select pg_try_advisory_lock(${migrationsTurn}) as "isOurs"`,
  );
  if (!rows[0]?.isOurs) throw somebodyElse();
};
