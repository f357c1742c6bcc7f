import { randomBytes } from 'node:crypto';
import type { Body, Reply } from '@radwork/contract/core/endpoint';
import type { setup as endpoints } from '@radwork/contract/identity/tenants';
import { sql } from 'kysely';
import { audit } from '#core/audit/audit.ts';
import type { Context } from '#core/context.ts';
import type { Database } from '#core/database/database.ts';
import { makeInstallation } from '#core/installation/installation.ts';
import { orNotFound, notFound } from '#core/http/problem.ts';
import { hashPassword } from '#core/access/passwords.ts';
import { type Scopes, systemSession } from '#core/access/scope.ts';
import { hashOfToken } from '#core/access/sessions.ts';
import { assertPasswordAllowed } from '#identity/credentials/password-rules.ts';
import { createUser } from '#identity/user-records/create-user.ts';
import { unlessSubdomainTaken } from './administer-tenants.ts';
import { createTenantDefaults } from './service.ts';

/** Hours for which the printed link is valid. */
export const setupHours = 24;

/**
 * Creates a link with which the first organization is created, once. Returns its path, or undefined when an
 * organization exists. Replaces the link of an earlier start. Needs the rights of the database owner.
 */
export const openSetup = async (owner: Database): Promise<string | undefined> => {
  if (await owner.selectFrom('tenants').select('id').limit(1).executeTakeFirst()) return undefined;
  await makeInstallation(owner);
  const token = randomBytes(32).toString('base64url');
  await owner
    .updateTable('installation')
    .set({
      setup_token_hash: hashOfToken(token),
      setup_expires_at: sql<string>`now() + make_interval(hours => ${setupHours})`,
    })
    .execute();
  // The token follows a "#", so that no server or proxy logs it.
  return `/setup#${token}`;
};

/** Throws 404 for every link except the current one. */
export const checkSetup = async (scopes: Scopes, token: string): Promise<void> => {
  const { rows } = await scopes.withoutTenant((db) =>
    sql<{ open: boolean }>`select is_setup_open(${hashOfToken(token)}) as open`.execute(db),
  );
  if (!rows[0]?.open) throw notFound('page');
};

/**
 * Creates the first organization and its super administrator. Of two callers at the same time, one succeeds and the
 * other gets 404.
 */
export const completeSetup = async (
  { scopes, config }: Pick<Context, 'scopes' | 'config'>,
  { token, administrator, password, name, subdomain, timeZone }: Body<typeof endpoints.complete>,
  address: string,
): Promise<Reply<typeof endpoints.complete>> => {
  await checkSetup(scopes, token);
  await assertPasswordAllowed(password, { ...administrator, tenantName: name }, config);
  const passwordHash = await hashPassword(password);
  const numbers = await scopes.withoutTenant((db) => sql<{ id: number }>`select next_tenant_id() as id`.execute(db));
  const { id: tenantId } = orNotFound(numbers.rows[0], 'number');
  await unlessSubdomainTaken(() =>
    scopes.inTenant(systemSession(tenantId, address), async (scope) => {
      const { rows } = await sql<{ made: boolean }>`
        select found_first_tenant(${hashOfToken(token)}, ${name}, ${subdomain}, ${timeZone}) as made`.execute(scope.db);
      if (!rows[0]?.made) throw notFound('page');
      await createTenantDefaults(scope.db, tenantId);
      const userId = await createUser(scope, { ...administrator, userType: 'SUPER_ADMIN', passwordHash });
      const entity = { entity: 'user', entityId: userId, detail: { userType: 'SUPER_ADMIN' } } as const;
      await audit(scope, 'tenant.first', { entity: 'tenant', detail: { subdomain } });
      await audit(scope, 'user.create', entity);
    }),
  );
  return { subdomain };
};
