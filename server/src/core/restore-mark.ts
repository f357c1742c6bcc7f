import { sql } from 'kysely';
import pg from 'pg';
import type { BlobStore } from './blob-store.ts';
import { ConfigError } from './config.ts';
import type { Database } from './database.ts';
import { makeMigrationsTable } from './migrate.ts';

/*
 * While a backup is restored, store and database say so, each of them: neither is to be used without the other, by whoever
 * gives a server another one. The store says it in place of its installation, and the database in the comment of the table
 * that says which migrations ran, which is the first to be made and the only one that no backup brings along.
 */

/** Which installation is going to be there, and from which backup. */
export type RestoreMark = { installationId: string; backupId: string };

/** What stands in a store instead of its installation. */
export const restoreMark = ({ installationId, backupId }: RestoreMark): string =>
  `restoring ${installationId} ${backupId}`;

/** What a store or a database says that is being restored into; undefined for any other. */
export const readRestoreMark = (words: string | undefined): RestoreMark | undefined => {
  const [, installationId, backupId] = /^restoring (\S+) (\S+)$/.exec(words ?? '') ?? [];
  return installationId && backupId ? { installationId, backupId } : undefined;
};

/** Marks a database in which there may be nothing yet, or takes its mark away. */
export const markDatabase = async (client: pg.ClientBase, mark: RestoreMark | undefined): Promise<void> => {
  await makeMigrationsTable(client);
  await client.query(`comment on table schema_migrations is ${mark ? pg.escapeLiteral(restoreMark(mark)) : 'null'}`);
};

const markQuery = `select obj_description(to_regclass('schema_migrations'), 'pg_class') as words`;

type Marked = { words: string | null };

/** What a database says, also one in which there is nothing. */
export const markOfDatabase = async (client: pg.ClientBase | Database): Promise<RestoreMark | undefined> => {
  const { rows } =
    'query' in client ? await client.query<Marked>(markQuery) : await sql.raw<Marked>(markQuery).execute(client);
  return readRestoreMark(rows[0]?.words ?? undefined);
};

/** Throws a ConfigError while a backup is being restored into the store. */
export const assertStoreRestored = async (blobs: Pick<BlobStore, 'owner'>): Promise<void> => {
  const begun = readRestoreMark(await blobs.owner());
  if (begun) throw new ConfigError(unfinishedRestore('storage', begun));
};

/**
 * Throws a ConfigError while a backup is being restored into the database. It is asked before anything is done to that: one
 * that was brought to this version could not take the rest of an older backup.
 */
export const assertDatabaseRestored = async (owner: Database): Promise<void> => {
  const begun = await markOfDatabase(owner);
  if (begun) throw new ConfigError(unfinishedRestore('database', begun));
};

/** What to do where a store or a database bears the mark of a restore. */
export const unfinishedRestore = (where: 'storage' | 'database', { backupId }: RestoreMark): string =>
  `A backup is being restored into this ${where}, or that has broken off, and until it is done nothing else is done with it. Wait until it is done, or run npm run restore again with the same settings and the same backup (id ${backupId} in its manifest.json): it goes on where it stopped.`;
