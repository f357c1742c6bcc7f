import { sql } from 'kysely';
import { type Scopes, type Session, systemSession } from '#core/scope.ts';
import type { Tenant } from './provider.ts';

/** A tenant that is not suspended, by the name that its people type. */
export const findTenant = async (scopes: Scopes, subdomain: string | undefined): Promise<Tenant | undefined> => {
  if (subdomain === undefined) return undefined;
  const { rows } = await scopes.withoutTenant((db) =>
    sql<Tenant>`select id, subdomain from find_tenant(${subdomain})`.execute(db),
  );
  return rows[0];
};

/** The server at work for somebody who is not signed in yet; `username` is who they say they are. */
export const visitorSession = ({ id }: Tenant, address: string, username = 'single sign-on'): Session => ({
  ...systemSession(id, address),
  username,
});
