import { sql } from 'kysely';
import type { Scope } from '#core/access/scope.ts';
import { statement } from '#core/database/statement.ts';

/*
 * Uploads store bytes before their rows are visible, and upkeep must not treat such bytes as unused. So uploads and
 * upkeep take turns within a tenant. Either any number of uploads run, or one process checks which files are unused or
 * missing. Both locks last until the transaction ends and its rows are visible.
 */

/** Name of the lock. An upload takes it shared, and upkeep alone. */
export const turnName = (tenantId: number) => `storage of tenant ${tenantId}`;

/** Keeps upkeep from marking or claiming files of the tenant until the transaction ends. */
export const lockForUpload = async ({ db, session }: Scope): Promise<void> => {
  await lockShared(db, { name: turnName(session.tenantId) });
};

const lockShared = statement(
  (_, { name }: { name: string }) => sql`select pg_advisory_xact_lock_shared(hashtextextended(${name}, 0))`,
);

/**
 * Waits until no upload of the tenant has stored bytes without rows, and keeps it so until the transaction ends. Keep
 * the transaction short, because uploads wait for it.
 */
export const lockStore = async ({ db, session }: Scope): Promise<void> => {
  await sql`select pg_advisory_xact_lock(hashtextextended(${turnName(session.tenantId)}, 0))`.execute(db);
};

/** SQL for the key of an advisory lock. A backup holds this lock so that no file is removed from the store. */
export const removalsLockKey = `hashtextextended('removals from the store', 0)`;

/**
 * Returns whether files may be removed from the store. If so, no backup can begin until the transaction ends. During a
 * backup nothing is removed, because the backup still copies files of older rows. Upkeep removes these files later. In
 * a copied database nothing is removed, because the store belongs to the original database.
 */
export const tryLockRemovals = async ({ db }: Scope): Promise<boolean> => {
  const { rows } = await sql<{ isOurs: boolean }>`
    select not is_copied_database() and pg_try_advisory_xact_lock_shared(${sql.raw(removalsLockKey)}) as "isOurs"`.execute(
    db,
  );
  return rows[0]?.isOurs ?? false;
};
