import { t } from '@radwork/contract/core/translate';
import type { Permission, UserType } from '@radwork/contract/core/access';
import type { ManagedUser, Manager } from '@radwork/contract/identity/user-rights';
import { sql } from 'kysely';
import { conflict, forbidden } from '#core/http/problem.ts';
import type { Scope, Session } from '#core/access/scope.ts';
import { refuseLimited } from '#core/access/refuse-limited.ts';
import { permissionsOf, type UserRow, userRows } from './user-rows.ts';

/**
 * Begins a change of rights in the tenant. Takes a lock until the transaction ends, so that changes run one after
 * another. If two administrators deactivate each other, the second sees the first change. Returns the current rights of
 * the caller. Throws 403 if the caller has lost the permission, or is limited to groups and could lift the limit.
 */
export const beginManaging = async (scope: Scope, permission: Permission): Promise<Manager> => {
  const { db, session } = scope;
  refuseLimited(session);
  await sql`select pg_advisory_xact_lock(hashtext('users and roles'), current_tenant())`.execute(db);
  // A visitor's account is in another tenant and cannot be changed here, so the session gives the rights.
  const visitor = { id: session.userId, userType: session.userType, permissions: permissionsOf(session) };
  const manager = isAtHome(session) ? await callerAsUser(scope) : visitor;
  if (!manager?.permissions.includes(permission)) throw forbidden();
  return manager;
};

const isAtHome = ({ homeTenantId, tenantId }: Session) => homeTenantId === undefined || homeTenantId === tenantId;

/** Returns the caller as a user of this tenant. Undefined for a visitor and for a deactivated user. */
export const callerAsUser = async (scope: Scope): Promise<Manager | undefined> => {
  const row = await userRows(scope)
    .where('u.id', '=', scope.session.userId)
    .where('u.is_active', '=', true)
    .executeTakeFirst();
  return row && toManaged(row);
};

/** Describes a user for the rules of the contract (user-rights.ts). */
export const toManaged = (row: UserRow): ManagedUser => ({
  id: row.id,
  userType: row.user_type,
  permissions: permissionsOf(row),
});

/** Throws 403 with the message of a rule, if the rule returns one. */
export const assertNot = (refusal: string | undefined): void => {
  if (refusal !== undefined) throw forbidden(refusal);
};

const administrators: readonly UserType[] = ['SUPER_ADMIN', 'ADMIN'];

/** Counts the active administrators who can manage the users of the tenant. */
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
 * Runs work that may remove an administrator of the tenant. If none is left, throws 409 and undoes all of the work.
 * Call `beginManaging` first, because two such calls must not run at once.
 */
export const withRemainingAdministrator = async <T>(scope: Scope, work: () => Promise<T>): Promise<T> => {
  const before = await countAdministrators(scope);
  const result = await work();
  if (before > 0 && (await countAdministrators(scope)) === 0) throw lastAdministrator();
  return result;
};

const lastAdministrator = () =>
  conflict(
    'user.last_administrator',
    t`This is the last active administrator. Make another user an administrator first.`,
  );
