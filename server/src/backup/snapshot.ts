import { isDeepStrictEqual } from 'node:util';
import pg from 'pg';
import { ConfigError } from '#core/config/config-error.ts';
import { isOfThisVersion, migrationsTurn } from '#core/database/migrate.ts';
import { tablesOf } from './database-facts.ts';
import { assertOwnTables } from './assert-own-tables.ts';

/** Refuses a database of another version, whose tables this version does not know. */
export const assertCurrent = async (client: pg.ClientBase): Promise<void> => {
  if (await isOfThisVersion(client)) return;
  throw new ConfigError(
    'The database belongs to another version of Radwork. Make the backup with the version that runs the server.',
  );
};

/**
 * Runs work in a transaction that reads the whole database in one snapshot and protects its tables from changes. A
 * rewrite of a table ignores snapshots: an older transaction would see the table empty (PostgreSQL, "Caveats" of
 * concurrency control). As in pg_dump, all tables are locked before the first query, which takes the snapshot. A
 * rewrite thus happens before the snapshot or waits. Migrations wait for their own lock, before they lock a table.
 * Throws a ConfigError for a database of another version or with changed tables.
 */
export const inSnapshot = async <T>(client: pg.ClientBase, work: () => Promise<T>): Promise<T> => {
  await client.query(`select pg_advisory_lock_shared(${migrationsTurn})`);
  const tables = await tablesOf(client);
  await client.query('begin isolation level repeatable read, read only');
  await client.query(
    `lock table ${tables.map(({ name }) => pg.escapeIdentifier(name)).join(', ')} in access share mode`,
  );
  await assertCurrent(client);
  await assertOwnTables(client);
  if (!isDeepStrictEqual(await tablesOf(client), tables)) {
    throw new ConfigError('The tables of the database changed while the backup started. Run the backup again.');
  }
  const done = await work();
  await client.query('commit');
  await client.query(`select pg_advisory_unlock_shared(${migrationsTurn})`);
  return done;
};
