import type { Context } from '#core/context.ts';
import type { Database } from '#core/database.ts';
import type { Session } from '#core/scope.ts';
import { unlessShut, type Vault } from '#core/vault.ts';

const placeOf = (tenantId: number, userId: string) => ({
  tenantId,
  table: 'users',
  row: userId,
  column: 'sealed_text_key',
});

export type Keys = Pick<Context, 'scopes' | 'vault' | 'secretKey'>;

/**
 * The key, 32 bytes in hexadecimal, under which every browser of a person keeps what they write until the server has it
 * (ASVS 5.0 14.3.3). It is kept once it was asked for, so that a change of SECRET_KEY does not change it: what one session
 * has left, the next one reads. Undefined where this server cannot open it, as one that still has the old SECRET_KEY.
 */
export const textKeyOf = ({ scopes, vault, secretKey }: Keys, session: Session): Promise<string | undefined> => {
  const { tenantId, userId } = session;
  const place = placeOf(tenantId, userId);
  return scopes.inTenant(session, async ({ db }) => {
    const stored = () =>
      db.selectFrom('users').select('sealed_text_key').where('id', '=', userId).executeTakeFirstOrThrow();
    const { sealed_text_key: known } = await stored();
    if (known !== null) return unlessShut(() => vault.open(known, place));
    // Made out of the secret and not by chance: from a backup of a time before there was one comes the same.
    const key = secretKey.hmac('text key', String(tenantId), userId).toString('hex');
    await db
      .updateTable('users')
      .set({ sealed_text_key: vault.seal(key, place) })
      .where('id', '=', userId)
      .where('sealed_text_key', 'is', null)
      .execute();
    // Another server may have been quicker, with another secret.
    const { sealed_text_key: kept } = await stored();
    return kept === null ? undefined : unlessShut(() => vault.open(kept, place));
  });
};

/**
 * Brings the keys of all people under the current secret, with the rights of the database's owner. One that no secret
 * opens is given up, with what waits under it: its owner is given another when they come.
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
