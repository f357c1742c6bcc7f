import { sql } from 'kysely';
import type { Database } from '#core/database/database.ts';

/*
 * A copied database has the same installation id, so the store accepts it. A copy made for a trial could then delete
 * files that the original still uses. Therefore the database remembers its own identity. A copy removes no files from
 * the store. Everything else works in a copy. After an upgrade of PostgreSQL, the database counts as a copy too.
 */

/** True when this database is not the one on which the installation started. Can be called before migrations. */
export const isCopied = async (db: Database): Promise<boolean> => {
  const { rows } = await sql<{ is: boolean }>`select to_regproc('is_copied_database') is not null as is`.execute(db);
  if (!rows[0]?.is) return false;
  const { rows: checkRows } = await sql<{ is: boolean }>`select is_copied_database() as is`.execute(db);
  return checkRows[0]?.is ?? false;
};

/** Message for the operator. */
export const copiedDatabase = `This database is a copy, or was moved or upgraded. Files are not removed from the storage, because the original database may use them. If the original is no longer used or this database has its own storage, run: update installation set database_identity = database_identity(). Otherwise set STORAGE_URL or DATA_DIR to a copy of the files.`;
