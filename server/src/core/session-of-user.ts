import { type Scopes, type Session, systemSession } from './scope.ts';

/**
 * What a user may do at this moment, as a session says it, where there is none: for software that comes with a password,
 * and for what is done later on somebody's behalf. Undefined for a user who may not be let in any more.
 */
export const sessionOfUser = (
  scopes: Scopes,
  tenantId: number,
  userId: string,
  address = '',
): Promise<Session | undefined> =>
  scopes.inTenant(systemSession(tenantId, address), async ({ db }) => {
    const user = await db
      .selectFrom('users')
      .innerJoin('tenants', 'tenants.id', 'users.tenant_id')
      .select(['username', 'users.name', 'email', 'user_type as userType'])
      .select(['tenants.name as tenantName', 'subdomain', 'time_zone as timeZone'])
      .select('do_referrers_see_all as seesAllStudies')
      .where('users.id', '=', userId)
      .where('is_active', '=', true)
      .where('suspended_at', 'is', null)
      .executeTakeFirst();
    if (!user) return undefined;
    const roles = await db
      .selectFrom('user_roles')
      .innerJoin('roles', 'roles.id', 'user_roles.role_id')
      .select(['roles.name', 'permissions'])
      .where('user_id', '=', userId)
      .orderBy('roles.name')
      .execute();
    // Whatever is kept for a session is kept for the user.
    return { id: userId, userId, tenantId, address, ...user, roles };
  });
