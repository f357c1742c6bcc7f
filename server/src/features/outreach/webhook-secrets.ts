import type { Database } from '#core/database.ts';
import { resealEach, type Vault } from '#core/vault.ts';

export const placeOfSecret = (tenantId: number, id: string) => ({
  tenantId,
  table: 'webhooks',
  row: id,
  column: 'sealed_secret',
});

/** Brings the secrets of webhooks under the current key of the vault, with the rights of the database's owner. */
export const resealWebhooks = async (owner: Database, vault: Vault): Promise<number> => {
  const rows = await owner.selectFrom('webhooks').select(['tenant_id', 'id', 'sealed_secret']).execute();
  return resealEach(vault, rows, {
    sealedIn: ({ tenant_id, id, sealed_secret }) => ({ sealed: sealed_secret, place: placeOfSecret(tenant_id, id) }),
    keep: ({ tenant_id, id }, resealed) =>
      owner
        .updateTable('webhooks')
        .set({ sealed_secret: resealed })
        .where('tenant_id', '=', tenant_id)
        .where('id', '=', id)
        .executeTakeFirst(),
  });
};
