import { sql } from 'kysely';
import { audit } from '#core/audit.ts';
import type { ReadingScope, Scope } from '#core/scope.ts';
import { unlessShut, type Vault } from '#core/vault.ts';

/** A user and the tenant of their saved signature and PIN. */

type Owner = { tenantId: number; userId: string };

export const placeOfPicture = ({ tenantId, userId }: Owner) => ({
  tenantId,
  table: 'saved_signatures',
  row: userId,
  column: 'sealed_picture',
});

export const placeOfPin = ({ tenantId, userId }: Owner) => ({
  tenantId,
  table: 'signing_pins',
  row: userId,
  column: 'sealed_hash',
});

/** Returns the caller's saved signature as a data URL; null without one, and if it cannot be opened. */
export const savedPicture = async ({ db, session }: ReadingScope, vault: Vault): Promise<string | null> => {
  const row = await db
    .selectFrom('saved_signatures')
    .select('sealed_picture')
    .where(sql<boolean>`user_id::text = ${session.userId}`)
    .executeTakeFirst();
  return (row && unlessShut(() => vault.open(row.sealed_picture, placeOfPicture(session)))) ?? null;
};

export const storePicture = async ({ db, session }: Scope, vault: Vault, picture: string): Promise<void> => {
  const fresh = {
    sealed_picture: vault.seal(picture, placeOfPicture(session)),
    saved_at: sql<string>`clock_timestamp()`,
  };
  await db
    .insertInto('saved_signatures')
    .values({ user_id: session.userId, ...fresh })
    .onConflict((known) => known.columns(['tenant_id', 'user_id']).doUpdateSet(fresh))
    .execute();
};

/** Deletes the signature and returns whether there was one. */
export const dropPicture = async ({ db, session }: Scope): Promise<boolean> => {
  const gone = await db.deleteFrom('saved_signatures').where('user_id', '=', session.userId).executeTakeFirst();
  return gone.numDeletedRows > 0n;
};

type StoredPin = { hash: string | undefined; since: string };

/** Returns the hash of the caller's PIN and when it was set. The hash is undefined if it cannot be opened. */
export const storedPin = async ({ db, session }: ReadingScope, vault: Vault): Promise<StoredPin | undefined> => {
  const row = await db
    .selectFrom('signing_pins')
    .select(['sealed_hash', 'saved_at'])
    .where(sql<boolean>`user_id::text = ${session.userId}`)
    .executeTakeFirst();
  return row && { hash: unlessShut(() => vault.open(row.sealed_hash, placeOfPin(session))), since: row.saved_at };
};

export const storePin = async ({ db, session }: Scope, vault: Vault, hash: string): Promise<void> => {
  const fresh = { sealed_hash: vault.seal(hash, placeOfPin(session)), saved_at: sql<string>`clock_timestamp()` };
  await db
    .insertInto('signing_pins')
    .values({ user_id: session.userId, ...fresh })
    .onConflict((known) => known.columns(['tenant_id', 'user_id']).doUpdateSet(fresh))
    .execute();
};

/** Deletes the PIN and returns whether there was one. */
export const dropPin = async ({ db, session }: Scope): Promise<boolean> => {
  const gone = await db.deleteFrom('signing_pins').where('user_id', '=', session.userId).executeTakeFirst();
  return gone.numDeletedRows > 0n;
};

/** Makes changes of a user's signature, PIN and holds wait for each other. */
export const lockOwner = async ({ db }: Scope, userId: string): Promise<void> => {
  await db.selectFrom('users').select('id').where('id', '=', userId).forNoKeyUpdate().execute();
};

/**
 * Deletes signatures and PINs that were set since the first of these holds, because another person may have set them.
 * Returns whether anything was deleted.
 */
export const forgetMeansOfHolds = async (scope: Scope, holdIds: readonly string[]): Promise<boolean> => {
  if (holdIds.length === 0) return false;
  const { db } = scope;
  const held = await db
    .selectFrom('signing_holds')
    .select(({ fn }) => ['user_id', fn.min('placed_at').as('since')])
    .where('id', 'in', holdIds)
    .groupBy('user_id')
    .execute();
  let count = 0n;
  for (const { user_id, since } of held) {
    await lockOwner(scope, user_id);
    let ofUser = 0n;
    for (const table of ['saved_signatures', 'signing_pins'] as const) {
      const gone = await db
        .deleteFrom(table)
        .where('user_id', '=', user_id)
        .where('saved_at', '>=', since)
        .executeTakeFirst();
      ofUser += gone.numDeletedRows;
    }
    if (ofUser > 0n) await audit(scope, 'signing_means.forget', { entity: 'user', entityId: user_id });
    count += ofUser;
  }
  return count > 0n;
};
