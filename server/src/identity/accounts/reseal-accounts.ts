import type { Database } from '#core/database/database.ts';
import { resealEach, type Vault } from '#core/installation/vault.ts';
import { sealedKeyColumn } from '#identity/credentials/second-factor-code.ts';

/**
 * Seals the keys of all second factors with the current secret, with the rights of the database owner. A key that
 * cannot be opened stays unchanged; an administrator can remove it.
 */
export const resealSecondFactors = async (owner: Database, vault: Vault): Promise<number> => {
  const rows = await owner.selectFrom('second_factors').select(['tenant_id', 'user_id', 'sealed_key']).execute();
  return resealEach(vault, rows, {
    sealedIn: ({ tenant_id, user_id, sealed_key }) => ({
      sealed: sealed_key,
      place: sealedKeyColumn(tenant_id, user_id),
    }),
    keep: ({ tenant_id, user_id, sealed_key }, resealed) =>
      owner
        .updateTable('second_factors')
        .set({ sealed_key: resealed })
        .where('tenant_id', '=', tenant_id)
        .where('user_id', '=', user_id)
        .where('sealed_key', '=', sealed_key)
        .executeTakeFirst(),
  });
};
