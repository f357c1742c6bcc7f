import { sql } from 'kysely';
import type { Scope } from '#core/scope.ts';
import { statement } from '#core/statement.ts';

/*
 * Uploads put bytes into the store before their rows are visible; who looks for bytes without rows must not take them
 * for unused. So both take turns, for each tenant: any number of uploads at once, or one who decides about the store.
 * Both locks end with the transaction that took them, and only after what it wrote can be seen by others.
 */

const turnName = (tenantId: number) => `storage of tenant ${tenantId}`;

/** From here to the end of the transaction nobody decides about the tenant's store. */
export const takeUploadTurn = async ({ db, session }: Scope): Promise<void> => {
  await lockShared(db, { name: turnName(session.tenantId) });
};

const lockShared = statement(
  (_, { name }: { name: string }) => sql`select pg_advisory_xact_lock_shared(hashtextextended(${name}, 0))`,
);

/** From here to the end of the transaction no upload is between its bytes and its rows. Keep it short: uploads wait. */
export const takeStoreTurn = async ({ db, session }: Scope): Promise<void> => {
  await sql`select pg_advisory_xact_lock(hashtextextended(${turnName(session.tenantId)}, 0))`.execute(db);
};

/** The lock of a backup, which nobody removes files beside. SQL, for an advisory lock. */
export const removalsTurn = `hashtextextended('removals from the store', 0)`;

/**
 * Whether files may be removed from the store: to the end of the transaction no backup begins then. While one is under
 * way they may not, since it copies the files that rows of an earlier moment refer to; what is left for it the upkeep finds.
 * Nor may they from the store of another database, which this is a copy of.
 */
export const takeRemovalsTurn = async ({ db }: Scope): Promise<boolean> => {
  const { rows } = await sql<{ isOurs: boolean }>`
    select not is_copied_database() and pg_try_advisory_xact_lock_shared(${sql.raw(removalsTurn)}) as "isOurs"`.execute(
    db,
  );
  return rows[0]?.isOurs ?? false;
};
