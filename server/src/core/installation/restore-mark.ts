import { sql } from 'kysely';
import pg from 'pg';
import type { BlobStore } from '#core/blobs/blob-store.ts';
import { ConfigError } from '#core/config/config-error.ts';
import type { Database } from '#core/database/database.ts';
import { makeMigrationsTable } from '#core/database/migrate.ts';

/*
 * During a restore, store and database carry a mark, so that neither is used without the other. In the store, the mark
 * replaces the owner. In the database, the mark is the comment of the migrations table. This table is created first,
 * and no backup contains it.
 */

/** The installation that is being restored, and the backup. */
export type RestoreMark = { installationId: string; backupId: string };

/** The text that replaces the owner in a store. */
export const restoreMark = ({ installationId, backupId }: RestoreMark): string =>
  `restoring ${installationId} ${backupId}`;

/** Returns the mark of a store or database. Undefined without a mark. */
export const readRestoreMark = (words: string | undefined): RestoreMark | undefined => {
  const [, installationId, backupId] = /^restoring (\S+) (\S+)$/.exec(words ?? '') ?? [];
  return installationId && backupId ? { installationId, backupId } : undefined;
};

/** Sets or removes the mark of a database. The database may be empty. */
export const markDatabase = async (client: pg.ClientBase, mark: RestoreMark | undefined): Promise<void> => {
  await makeMigrationsTable(client);
  await client.query(`comment on table schema_migrations is ${mark ? pg.escapeLiteral(restoreMark(mark)) : 'null'}`);
};

const markQuery = `select obj_description(to_regclass('schema_migrations'), 'pg_class') as words`;

type MarkRow = { words: string | null };

/** Reads the mark of a database. The database may be empty. */
export const markOfDatabase = async (client: pg.ClientBase | Database): Promise<RestoreMark | undefined> => {
  const { rows } =
    'query' in client ? await client.query<MarkRow>(markQuery) : await sql.raw<MarkRow>(markQuery).execute(client);
  return readRestoreMark(rows[0]?.words ?? undefined);
};

/** Throws ConfigError while a restore into the store is unfinished. */
export const assertStoreRestored = async (blobs: Pick<BlobStore, 'owner'>): Promise<void> => {
  const existingMark = readRestoreMark(await blobs.owner());
  if (existingMark) throw new ConfigError(unfinishedRestore('storage', existingMark));
};

/**
 * Throws ConfigError while a restore into the database is unfinished. Checked before migrations: the rest of an older
 * backup could not be loaded into a migrated database.
 */
export const assertDatabaseRestored = async (owner: Database): Promise<void> => {
  const existingMark = await markOfDatabase(owner);
  if (existingMark) throw new ConfigError(unfinishedRestore('database', existingMark));
};

/** Tells the operator how to continue with an unfinished restore. */
export const unfinishedRestore = (where: 'storage' | 'database', { backupId }: RestoreMark): string =>
  `A restore into this ${where} is running or was interrupted, so it cannot be used. Wait for the restore, or run npm run restore again with the same settings and the same backup (id ${backupId} in its manifest.json) to continue.`;
