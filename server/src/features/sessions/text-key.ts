import { randomBytes } from 'node:crypto';
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

/**
 * The key, 32 bytes in hexadecimal, under which every browser of a person keeps what they write until the server has it
 * (ASVS 5.0 14.3.3). Made when it is first asked for, it stays the same: what one session has left, the next one reads.
 */
export const textKeyOf = ({ scopes, vault }: Pick<Context, 'scopes' | 'vault'>, session: Session): Promise<string> => {
  const { tenantId, userId } = session;
  const place = placeOf(tenantId, userId);
  return scopes.inTenant(session, async ({ db }) => {
    const stored = () =>
      db.selectFrom('users').select('sealed_text_key').where('id', '=', userId).executeTakeFirstOrThrow();
    const { sealed_text_key: known } = await stored();
    // One that SECRET_KEY does not open any more opens nothing: what was written under it is lost with that.
    const key = known === null ? undefined : unlessShut(() => vault.open(known, place));
    if (key !== undefined) return key;
    await db
      .updateTable('users')
      .set({ sealed_text_key: vault.seal(randomBytes(32).toString('hex'), place) })
      .where('id', '=', userId)
      // Of two who come at once the second one takes what the first one has made.
      .where('sealed_text_key', 'is not distinct from', known)
      .execute();
    return vault.open((await stored()).sealed_text_key ?? '', place);
  });
};

/**
 * Brings the keys of all people under the current secret, with the rights of the database's owner. One that cannot be
 * opened stays as it is, and is replaced when its owner comes.
 */
export const resealTextKeys = async (owner: Database, vault: Vault): Promise<number> => {
  const rows = await owner.selectFrom('users').select(['tenant_id', 'id', 'sealed_text_key']).execute();
  let count = 0;
  for (const { tenant_id, id, sealed_text_key: known } of rows) {
    const resealed = known === null ? undefined : vault.reseal(known, placeOf(tenant_id, id));
    if (resealed === undefined) continue;
    const { numUpdatedRows } = await owner
      .updateTable('users')
      .set({ sealed_text_key: resealed })
      .where('tenant_id', '=', tenant_id)
      .where('id', '=', id)
      .where('sealed_text_key', '=', known)
      .executeTakeFirst();
    count += Number(numUpdatedRows);
  }
  return count;
};
