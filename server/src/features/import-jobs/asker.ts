import type { Selectable } from 'kysely';
import type { ImportJobs } from '#core/schema.ts';
import { holds, type Scopes, type Session, systemSession } from '#core/scope.ts';

type Asked = Pick<Selectable<ImportJobs>, 'tenant_id' | 'requested_by' | 'requested_by_tenant_id'>;

/**
 * On whose behalf an import runs: the session that its asker would have now, or undefined if by now they may not
 * import into this tenant. Only a super administrator may ask in a tenant that is not theirs.
 */
export const sessionOfAsker = async (scopes: Scopes, asked: Asked): Promise<Session | undefined> => {
  const user = await userOf(scopes, asked.requested_by_tenant_id, asked.requested_by);
  const tenant = await tenantOf(scopes, asked.tenant_id);
  if (!user || !tenant) return undefined;
  const isVisiting = asked.requested_by_tenant_id !== asked.tenant_id;
  if (isVisiting && user.userType !== 'SUPER_ADMIN') return undefined;
  const session = {
    ...systemSession(asked.tenant_id),
    ...user,
    ...tenant,
    ...(isVisiting && { homeTenantId: asked.requested_by_tenant_id }),
  };
  return holds(session, 'study.import') ? session : undefined;
};

const userOf = async (scopes: Scopes, tenantId: number, userId: string) =>
  scopes.inTenant(systemSession(tenantId), async ({ db }) => {
    const user = await db
      .selectFrom('users')
      .innerJoin('tenants', 'tenants.id', 'users.tenant_id')
      .select(['users.id as userId', 'username', 'users.name', 'email', 'user_type as userType'])
      .where('users.id', '=', userId)
      .where('is_active', '=', true)
      .where('suspended_at', 'is', null)
      .executeTakeFirst();
    if (!user) return undefined;
    const roles = await db
      .selectFrom('user_roles')
      .innerJoin('roles', 'roles.id', 'user_roles.role_id')
      .select(['name', 'permissions'])
      .where('user_id', '=', userId)
      .execute();
    return { ...user, roles };
  });

const tenantOf = (scopes: Scopes, tenantId: number) =>
  scopes.inTenant(systemSession(tenantId), ({ db }) =>
    db
      .selectFrom('tenants')
      .select(['name as tenantName', 'subdomain', 'time_zone as timeZone'])
      .where('id', '=', tenantId)
      .where('suspended_at', 'is', null)
      .executeTakeFirst(),
  );
