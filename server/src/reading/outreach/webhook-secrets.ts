import type { Database } from '#core/database/database.ts';
import { resealEach, type Vault } from '#core/installation/vault.ts';

export const sealedSecretColumn = (tenantId: number, id: string) => ({
  tenantId,
  table: 'webhooks',
  row: id,
  column: 'sealed_secret',
});

/** Seals the secrets of webhooks with the current key of the vault, with the rights of the database owner. */
export const resealWebhooks = async (owner: Database, vault: Vault): Promise<number> => {
  const rows = await owner.selectFrom('webhooks').select(['tenant_id', 'id', 'sealed_secret']).execute();
  return resealEach(vault, rows, {
    sealedIn: ({ tenant_id, id, sealed_secret }) => ({
      sealed: sealed_secret,
      place: sealedSecretColumn(tenant_id, id),
    }),
    keep: ({ tenant_id, id }, resealed) =>
      owner
        .updateTable('webhooks')
        .set({ sealed_secret: resealed })
        .where('tenant_id', '=', tenant_id)
        .where('id', '=', id)
        .executeTakeFirst(),
  });
};
