import type { Database } from '#core/database/database.ts';
import type { Vault } from '#core/installation/vault.ts';
import { resealed, secretColumns } from './stored-configuration.ts';

/**
 * Seals all stored secrets with the current key, so that the previous key is not needed any longer. Needs the rights of
 * the database owner, because it covers all tenants. A secret that cannot be opened stays; the error appears when its
 * configuration is used.
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
    // Does not overwrite a new secret that a user saves at this moment.
    for (const column of columns) update = update.where(column, 'is not distinct from', row[column]);
    const { numUpdatedRows } = await update.executeTakeFirst();
    count += Number(numUpdatedRows);
  }
  return count;
};
