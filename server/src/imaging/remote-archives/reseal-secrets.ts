import type { Database } from '#core/database/database.ts';
import type { Vault } from '#core/installation/vault.ts';
import { resealed, secretColumns } from './stored-configuration.ts';

/**
 * Re-seals all stored secrets with the current key, so the previous key is no longer needed. Needs the rights of the
 * database owner, because it covers all tenants. A secret that cannot be opened stays; using its configuration reports
 * the error.
 */
export const resealSecrets = async (owner: Database, vault: Vault): Promise<number> => {
  const rows = await owner.selectFrom('remote_configurations').selectAll().execute();
  let count = 0;
  for (const row of rows) {
    const changes = resealed(vault, row);
    if (Object.keys(changes).length === 0) continue;
    const columns = Object.values(secretColumns);
    let update = owner.updateTable('remote_configurations').set(changes);
    update = update.where('tenant_id', '=', row.tenant_id).where('id', '=', row.id);
    // Keeps a new secret that a user saves at this moment.
    for (const column of columns) update = update.where(column, 'is not distinct from', row[column]);
    const { numUpdatedRows } = await update.executeTakeFirst();
    count += Number(numUpdatedRows);
  }
  return count;
};
