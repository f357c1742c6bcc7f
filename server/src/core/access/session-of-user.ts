import { sql } from 'kysely';
import { type Scopes, type Session, systemSession } from './scope.ts';

/**
 * Returns the current rights of a user as a session without a token. Used for software that sends a password, and for
 * later work on behalf of the user. Undefined when the user may not sign in.
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
      .select(sql<string[] | null>`study_groups_of(users.tenant_id, users.id)`.as('studyGroups'))
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
    // The user id serves as session id, so data stored by session is shared by all calls of the user.
    return { id: userId, userId, tenantId, address, ...user, roles };
  });
