import { sql } from 'kysely';
import type { ReadingScope, Scope } from '#core/access/scope.ts';
import { openOrUndefined, type Vault } from '#core/installation/vault.ts';

/** A user, and the tenant in which the user's saved signature and PIN are. */

type Owner = { tenantId: number; userId: string };

export const sealedImageColumn = ({ tenantId, userId }: Owner) => ({
  tenantId,
  table: 'saved_signatures',
  row: userId,
  column: 'sealed_picture',
});

export const sealedPinColumn = ({ tenantId, userId }: Owner) => ({
  tenantId,
  table: 'signing_pins',
  row: userId,
  column: 'sealed_hash',
});

/**
 * Returns the saved signature of the caller as a data URL. Null if there is no signature, or if it cannot be opened.
 */
export const savedPicture = async ({ db, session }: ReadingScope, vault: Vault): Promise<string | null> => {
  const row = await db
    .selectFrom('saved_signatures')
    .select('sealed_picture')
    .where(sql<boolean>`user_id::text = ${session.userId}`)
    .executeTakeFirst();
  return (row && openOrUndefined(() => vault.open(row.sealed_picture, sealedImageColumn(session)))) ?? null;
};

export const storePicture = async ({ db, session }: Scope, vault: Vault, picture: string): Promise<void> => {
  const fresh = {
    sealed_picture: vault.seal(picture, sealedImageColumn(session)),
    saved_at: sql<string>`clock_timestamp()`,
  };
  await db
    .insertInto('saved_signatures')
    .values({ user_id: session.userId, ...fresh })
    .onConflict((known) => known.columns(['tenant_id', 'user_id']).doUpdateSet(fresh))
    .execute();
};

/** Deletes the signature. Returns whether there was one. */
export const dropPicture = async ({ db, session }: Scope): Promise<boolean> => {
  const gone = await db.deleteFrom('saved_signatures').where('user_id', '=', session.userId).executeTakeFirst();
  return gone.numDeletedRows > 0n;
};

type StoredPin = { hash: string | undefined; since: string };

/** Returns the hash of the caller's PIN, and when the PIN was set. The hash is undefined if it cannot be opened. */
export const storedPin = async ({ db, session }: ReadingScope, vault: Vault): Promise<StoredPin | undefined> => {
  const row = await db
    .selectFrom('signing_pins')
    .select(['sealed_hash', 'saved_at'])
    .where(sql<boolean>`user_id::text = ${session.userId}`)
    .executeTakeFirst();
  return (
    row && { hash: openOrUndefined(() => vault.open(row.sealed_hash, sealedPinColumn(session))), since: row.saved_at }
  );
};

export const storePin = async ({ db, session }: Scope, vault: Vault, hash: string): Promise<void> => {
  const fresh = { sealed_hash: vault.seal(hash, sealedPinColumn(session)), saved_at: sql<string>`clock_timestamp()` };
  await db
    .insertInto('signing_pins')
    .values({ user_id: session.userId, ...fresh })
    .onConflict((known) => known.columns(['tenant_id', 'user_id']).doUpdateSet(fresh))
    .execute();
};

/** Deletes the PIN. Returns whether there was one. */
export const dropPin = async ({ db, session }: Scope): Promise<boolean> => {
  const gone = await db.deleteFrom('signing_pins').where('user_id', '=', session.userId).executeTakeFirst();
  return gone.numDeletedRows > 0n;
};
