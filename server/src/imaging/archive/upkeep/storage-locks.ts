import { sql } from 'kysely';
import type { Scope } from '#core/access/scope.ts';
import { statement } from '#core/database/statement.ts';

/*
 * Uploads store bytes before their rows are visible; upkeep must not take these bytes for unused. Both therefore take
 * turns per tenant: many uploads in parallel, or one process that decides about the store. Both locks last until their
 * transaction ends and its rows are visible.
 */

const turnName = (tenantId: number) => `storage of tenant ${tenantId}`;

/** Prevents decisions about the tenant's store until the end of the transaction. */
export const lockForUpload = async ({ db, session }: Scope): Promise<void> => {
  await lockShared(db, { name: turnName(session.tenantId) });
};

const lockShared = statement(
  (_, { name }: { name: string }) => sql`select pg_advisory_xact_lock_shared(hashtextextended(${name}, 0))`,
);

/**
 * Ensures until the end of the transaction that no upload has stored bytes without rows. Keep it short: uploads wait.
 */
export const lockStore = async ({ db, session }: Scope): Promise<void> => {
  await sql`select pg_advisory_xact_lock(hashtextextended(${turnName(session.tenantId)}, 0))`.execute(db);
};

/** Lock that a backup holds to prevent removals. SQL of an advisory lock key. */
export const removalsLockKey = `hashtextextended('removals from the store', 0)`;

/**
 * Returns whether files may be removed from the store; no backup then begins until the transaction ends. A running
 * backup forbids removals, because it still copies files of older rows; upkeep removes them later. A copied database
 * also forbids them, because the store belongs to the original.
 */
export const tryLockRemovals = async ({ db }: Scope): Promise<boolean> => {
  const { rows } = await sql<{ isOurs: boolean }>`
    select not is_copied_database() and pg_try_advisory_xact_lock_shared(${sql.raw(removalsLockKey)}) as "isOurs"`.execute(
    db,
  );
  return rows[0]?.isOurs ?? false;
};
