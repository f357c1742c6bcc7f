import type { Permission } from '@radwork/contract/core/access';
import type { Selectable } from 'kysely';
import type { ImportJobs } from '#core/database/schema.ts';
import { hasPermission, mayVisit, type Scopes, type Session, systemSession } from '#core/access/scope.ts';
import { sessionOfUser } from '#core/access/session-of-user.ts';

type Requester = Pick<Selectable<ImportJobs>, 'tenant_id' | 'requested_by' | 'requested_by_tenant_id'>;

/**
 * Returns the session in which a job runs: the session that its requester would get now. Undefined when the requester
 * has lost the permission, or may no longer visit this tenant.
 */
export const sessionOfAsker = async (
  scopes: Scopes,
  requester: Requester,
  permission: Permission,
): Promise<Session | undefined> => {
  const user = await sessionOfUser(scopes, requester.requested_by_tenant_id, requester.requested_by);
  const session =
    user?.tenantId === requester.tenant_id ? user : user && (await visiting(scopes, user, requester.tenant_id));
  return session && hasPermission(session, permission) ? session : undefined;
};

const visiting = async (scopes: Scopes, user: Session, tenantId: number): Promise<Session | undefined> => {
  const tenant = mayVisit(user) ? await tenantOf(scopes, tenantId) : undefined;
  return tenant && { ...user, ...tenant, tenantId, homeTenantId: user.tenantId };
};

const tenantOf = (scopes: Scopes, tenantId: number) =>
  scopes.inTenant(systemSession(tenantId), ({ db }) =>
    db
      .selectFrom('tenants')
      .select(['name as tenantName', 'subdomain', 'time_zone as timeZone'])
      .where('id', '=', tenantId)
      .where('suspended_at', 'is', null)
      .executeTakeFirst(),
  );
