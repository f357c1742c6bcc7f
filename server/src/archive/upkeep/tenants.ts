import { sql } from 'kysely';
import type { Scopes } from '#core/scope.ts';

/** The ids of all tenants, those that are suspended too: their images are kept like those of the others. */
export const storedTenants = async (scopes: Scopes): Promise<number[]> => {
  const { rows } = await scopes.withoutTenant((db) =>
    sql<{ id: number }>`select id from stored_tenants() id`.execute(db),
  );
  return rows.map(({ id }) => id);
};
