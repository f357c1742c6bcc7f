import type { Database } from '#core/database.ts';
import type { Vault } from '#core/vault.ts';
import { resealed, secretColumns } from './stored-configuration.ts';

/**
 * Brings all stored secrets under the current key, so that the previous one is not needed any longer. Needs the rights
 * of the database's owner, since it is for all tenants. One that cannot be opened stays as it is: its
 * configuration says so when it is used.
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
    // Somebody may be typing a new one at this moment: theirs counts.
    for (const column of columns) update = update.where(column, 'is not distinct from', row[column]);
    const { numUpdatedRows } = await update.executeTakeFirst();
    count += Number(numUpdatedRows);
  }
  return count;
};
