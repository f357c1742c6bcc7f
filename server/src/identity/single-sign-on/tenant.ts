import { sql } from 'kysely';
import { type Scopes, type Session, systemSession } from '#core/access/scope.ts';
import type { Tenant } from './provider.ts';

/** Finds a tenant by its subdomain, unless it is suspended. */
export const findTenant = async (scopes: Scopes, subdomain: string | undefined): Promise<Tenant | undefined> => {
  if (subdomain === undefined) return undefined;
  const { rows } = await scopes.withoutTenant((db) =>
    sql<Tenant>`select id, subdomain from find_tenant(${subdomain})`.execute(db),
  );
  return rows[0];
};

/** A session of the server for a user who is not signed in yet. `username` is the name that the caller claims. */
export const visitorSession = ({ id }: Tenant, address: string, username = 'single sign-on'): Session => ({
  ...systemSession(id, address),
  username,
});
