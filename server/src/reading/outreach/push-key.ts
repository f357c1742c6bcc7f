import { sql } from 'kysely';
import type { Database } from '#core/database/database.ts';
import type { Scopes } from '#core/access/scope.ts';
import { openOrUndefined, type Vault } from '#core/installation/vault.ts';
import { makeVapidKey, type VapidKey } from '#core/notifications/web-push.ts';

const place = { tenantId: 0, table: 'push_key', row: 'installation', column: 'sealed' };

type Row = { public_key: string; sealed: string };

const read = async (scopes: Scopes): Promise<Row | undefined> => {
  const query = sql<Row>`select public_key, sealed from push_key_of_installation()`;
  const { rows } = await scopes.withoutTenant((db) => query.execute(db));
  return rows[0];
};

/**
 * Returns the key of the installation for push services. The first call on any server creates it. Undefined when the
 * vault cannot open the key. A lost SECRET_KEY makes all subscriptions useless in any case.
 */
export const pushKeyOf = async (scopes: Scopes, vault: Vault): Promise<VapidKey | undefined> => {
  const cached = opened.get(scopes);
  if (cached) return cached;
  const key = await keyIn(scopes, vault);
  if (key) opened.set(scopes, key);
  return key;
};

/**
 * Cached, because the key does not change while a server runs. With the cache, no caller needs a second connection to
 * read the key.
 */
const opened = new WeakMap<Scopes, VapidKey>();

const keyIn = async (scopes: Scopes, vault: Vault): Promise<VapidKey | undefined> => {
  const known = await read(scopes);
  if (!known) {
    const { publicKey, privateKey } = makeVapidKey();
    const sealed = vault.seal(JSON.stringify(privateKey), place);
    await scopes.withoutTenant((db) => sql`select keep_push_key(${publicKey}, ${sealed})`.execute(db));
  }
  const row = known ?? (await read(scopes));
  const jwk = row && openOrUndefined(() => vault.open(row.sealed, place));
  return row && jwk !== undefined ? { publicKey: row.public_key, privateKey: JSON.parse(jwk) } : undefined;
};

/** Seals the key with the current key of the vault, with the rights of the database owner. */
export const resealPushKey = async (owner: Database, vault: Vault): Promise<void> => {
  const row = await owner.selectFrom('push_key').select('sealed').executeTakeFirst();
  const resealed = row && vault.reseal(row.sealed, place);
  if (resealed !== undefined) await owner.updateTable('push_key').set({ sealed: resealed }).execute();
};
