import type { Permission, UserType } from '@radwork/contract/access';
import type { Managed, Manager } from '@radwork/contract/user-rights';
import { sql } from 'kysely';
import { conflict, forbidden } from '#core/problem.ts';
import type { Scope, Session } from '#core/scope.ts';
import { permissionsOf, type UserRow, userRows } from './user-rows.ts';

/**
 * Begins to change who may do what in the tenant: one change at a time, until the transaction ends. Of two
 * administrators who deactivate one another at once, the second finds what the first has done. Returns who the caller is
 * by now. Throws a 403 when they may not do it any more.
 */
export const beginManaging = async (scope: Scope, permission: Permission): Promise<Manager> => {
  const { db, session } = scope;
  await sql`select pg_advisory_xact_lock(hashtext('users and roles'), current_tenant())`.execute(db);
  // A visitor's own account is in another tenant, and nobody in this one can change it.
  const visitor = { id: session.userId, userType: session.userType, permissions: permissionsOf(session) };
  const manager = isAtHome(session) ? await colleague(scope) : visitor;
  if (!manager?.permissions.includes(permission)) throw forbidden();
  return manager;
};

const isAtHome = ({ homeTenantId, tenantId }: Session) => homeTenantId === undefined || homeTenantId === tenantId;

/** Who the caller is in this tenant by now; undefined for a visitor, and for who is let in no more. */
export const colleague = async (scope: Scope): Promise<Manager | undefined> => {
  const row = await userRows(scope)
    .where('u.id', '=', scope.session.userId)
    .where('u.is_active', '=', true)
    .executeTakeFirst();
  return row && managed(row);
};

/** A user as the rules of the contract see them (user-rights.ts). */
export const managed = (row: UserRow): Managed => ({
  id: row.id,
  userType: row.user_type,
  permissions: permissionsOf(row),
});

/** Throws a 403 in the words of a rule, if it has any. */
export const assertNot = (refusal: string | undefined): void => {
  if (refusal !== undefined) throw forbidden(refusal);
};

const administrators: readonly UserType[] = ['SUPER_ADMIN', 'ADMIN'];

/** How many active administrators of the tenant can manage its users. */
const countAdministrators = async ({ db }: Scope): Promise<number> => {
  const { count } = await db
    .selectFrom('users as u')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('u.is_active', '=', true)
    .where('u.user_type', 'in', administrators)
    .where(
      sql<boolean>`exists (select from user_roles ur join roles r on r.tenant_id = ur.tenant_id and r.id = ur.role_id
        where ur.tenant_id = u.tenant_id and ur.user_id = u.id and 'user.manage' = any (r.permissions))`,
    )
    .executeTakeFirstOrThrow();
  return Number(count);
};

/**
 * Does something that may take an administrator from the tenant. Throws a 409, with which all of it is undone, when it
 * has taken the last one. Within `beginManaging`, or two could do so at once.
 */
export const keepingAnAdministrator = async <T>(scope: Scope, work: () => Promise<T>): Promise<T> => {
  const before = await countAdministrators(scope);
  const result = await work();
  if (before > 0 && (await countAdministrators(scope)) === 0) throw lastAdministrator();
  return result;
};

const lastAdministrator = () =>
  conflict(
    'user.last_administrator',
    'This would leave the organisation without an active administrator. Make somebody else an administrator first.',
  );
