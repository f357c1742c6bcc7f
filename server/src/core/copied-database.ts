import { sql } from 'kysely';
import type { Database } from './database.ts';

/*
 * A copy of a database has its installation's id, so the store takes it for its own: by such a copy, made to try something
 * out, a store would lose what was taken in since. So the database also remembers which one it is, and from a store that
 * two may share nothing is removed. It goes on with everything else: after an upgrade of PostgreSQL it is another one too.
 */

/** Whether this is another database than its installation was started on. May be asked of one that is yet to be migrated. */
export const isCopied = async (db: Database): Promise<boolean> => {
  const { rows } = await sql<{ is: boolean }>`select to_regproc('is_copied_database') is not null as is`.execute(db);
  if (!rows[0]?.is) return false;
  const { rows: asked } = await sql<{ is: boolean }>`select is_copied_database() as is`.execute(db);
  return asked[0]?.is ?? false;
};

/** What whoever runs the installation is told. */
export const copiedDatabase = `This database is a copy of another one, or was moved or upgraded. Nothing is removed from the storage, which the other one may use. Where it is not used any more, or this one has a storage of its own: update installation set database_identity = database_identity(). Otherwise set STORAGE_URL or DATA_DIR to a copy of the files.`;
