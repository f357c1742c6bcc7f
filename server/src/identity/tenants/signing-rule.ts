import { sql } from 'kysely';
import { announce } from '#core/live/announce.ts';
import { audit } from '#core/audit/audit.ts';
import type { Scope, Scopes } from '#core/access/scope.ts';
import { visiting } from './administer-tenants.ts';
import { knownTenant } from './known-tenants.ts';
import { maySignUnproven } from '#identity/signing-holds/stored-holds.ts';

type Rule = { isAllowed: boolean };

export const readTenantRule = async (scope: Scope, scopes: Scopes, id: string): Promise<Rule> => {
  const { number } = await knownTenant(scope, id);
  return { isAllowed: await scopes.inTenant(visiting(scope.session, number), maySignUnproven) };
};

/** Sets the rule. Only a super administrator may do this. The database checks the session too (migration 0088). */
export const saveTenantRule = async (scope: Scope, scopes: Scopes, id: string, { isAllowed }: Rule): Promise<Rule> => {
  const { number } = await knownTenant(scope, id);
  await scopes.inTenant(visiting(scope.session, number), async (inside) => {
    const { rows } = await sql<{ changed: boolean }>`
      select set_unproven_signing(${scope.session.id}, ${id}, ${isAllowed}) as changed`.execute(inside.db);
    if (!rows[0]?.changed) return;
    await audit(inside, 'tenant.update', { entity: 'tenant', entityId: id, detail: { maySignUnproven: isAllowed } });
    await announce(inside, { kind: 'everything' });
  });
  return { isAllowed };
};
