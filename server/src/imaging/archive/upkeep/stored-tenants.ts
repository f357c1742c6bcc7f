import { sql } from 'kysely';
import type { Scopes } from '#core/access/scope.ts';

/** Returns the ids of all tenants. Images of suspended tenants are kept too. */
export const storedTenants = async (scopes: Scopes): Promise<number[]> => {
  const { rows } = await scopes.withoutTenant((db) =>
    sql<{ id: number }>`select id from stored_tenants() id`.execute(db),
  );
  return rows.map(({ id }) => id);
};
