import type { Database } from '#core/database.ts';
import type { Vault } from '#core/vault.ts';
import { placeOfKey } from './second-factor-code.ts';

/**
 * Brings the keys of all second factors under the current secret, with the rights of the database's owner. One that
 * cannot be opened stays as it is: an administrator can take it away.
 */
export const resealSecondFactors = async (owner: Database, vault: Vault): Promise<number> => {
  const rows = await owner.selectFrom('second_factors').select(['tenant_id', 'user_id', 'sealed_key']).execute();
  let count = 0;
  for (const { tenant_id, user_id, sealed_key } of rows) {
    const resealed = vault.reseal(sealed_key, placeOfKey(tenant_id, user_id));
    if (resealed === undefined) continue;
    const { numUpdatedRows } = await owner
      .updateTable('second_factors')
      .set({ sealed_key: resealed })
      .where('tenant_id', '=', tenant_id)
      .where('user_id', '=', user_id)
      // Somebody may be setting up another at this moment: theirs counts.
      .where('sealed_key', '=', sealed_key)
      .executeTakeFirst();
    count += Number(numUpdatedRows);
  }
  return count;
};
