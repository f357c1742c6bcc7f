import type { Context } from '#core/context.ts';
import type { Database } from '#core/database/database.ts';
import type { Session } from '#core/access/scope.ts';
import { openOrUndefined, type Vault } from '#core/installation/vault.ts';

const placeOf = (tenantId: number, userId: string) => ({
  tenantId,
  table: 'users',
  row: userId,
  column: 'sealed_text_key',
});

export type Keys = Pick<Context, 'scopes' | 'vault' | 'secretKey'>;

/**
 * Returns the key of the user, 32 bytes in hexadecimal digits. Browsers encrypt unsent text with it (ASVS 5.0 14.3.3).
 * The key is stored at first use, so it survives a change of SECRET_KEY, and later sessions can read the text.
 * Undefined when this server cannot open it, for example with the old SECRET_KEY.
 */
export const textKeyOf = ({ scopes, vault, secretKey }: Keys, session: Session): Promise<string | undefined> => {
  const { tenantId, userId } = session;
  const place = placeOf(tenantId, userId);
  return scopes.inTenant(session, async ({ db }) => {
    const stored = () =>
      db.selectFrom('users').select('sealed_text_key').where('id', '=', userId).executeTakeFirstOrThrow();
    const { sealed_text_key: known } = await stored();
    if (known !== null) return openOrUndefined(() => vault.open(known, place));
    // Derives the key from the secret. A random key would be lost when an older backup is restored.
    const key = secretKey.hmac('text key', String(tenantId), userId).toString('hex');
    await db
      .updateTable('users')
      .set({ sealed_text_key: vault.seal(key, place) })
      .where('id', '=', userId)
      .where('sealed_text_key', 'is', null)
      .execute();
    // Reads the stored key, because another server with another secret may have stored a key first.
    const { sealed_text_key: sealed } = await stored();
    return sealed === null ? undefined : openOrUndefined(() => vault.open(sealed, place));
  });
};

/**
 * Seals the keys of all users with the current secret. Needs the rights of the database owner. Deletes keys that no
 * secret opens. Text that was encrypted with such a key is lost, and the user gets a new key at sign-in.
 */
export const resealTextKeys = async (owner: Database, vault: Vault): Promise<{ moved: number; givenUp: number }> => {
  const rows = await owner.selectFrom('users').select(['tenant_id', 'id', 'sealed_text_key']).execute();
  const counts = { moved: 0, givenUp: 0 };
  for (const { tenant_id, id, sealed_text_key: known } of rows) {
    if (known === null || vault.isCurrent(known)) continue;
    const resealed = vault.reseal(known, placeOf(tenant_id, id)) ?? null;
    const { numUpdatedRows } = await owner
      .updateTable('users')
      .set({ sealed_text_key: resealed })
      .where('tenant_id', '=', tenant_id)
      .where('id', '=', id)
      .where('sealed_text_key', '=', known)
      .executeTakeFirst();
    counts[resealed === null ? 'givenUp' : 'moved'] += Number(numUpdatedRows);
  }
  return counts;
};
