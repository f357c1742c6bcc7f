import type { Permission } from '@radwork/contract/core/access';
import { objectionToRole, type TypeByClaim } from '@radwork/contract/identity/single-sign-on';
import { unfitFor } from '@radwork/contract/identity/user-rights';
import { sql } from 'kysely';
import { announce } from '#core/live/announce.ts';
import { audit } from '#core/audit/audit.ts';
import { emit } from '#core/events/emit.ts';
import type { Scope } from '#core/access/scope.ts';
import { gainsSigning } from '#identity/signing-holds/create-hold.ts';
import type { StoredSettings } from './stored-settings.ts';

/** The rights that groups give to a user. No roles means the built-in role of the type. */
export type Rights = { userType: TypeByClaim; roleIds: string[] };

type Deciding = Pick<StoredSettings, 'rules' | 'fallback_type'>;

/** Returns the rights of the first matching group, or else the fallback. Undefined if there is neither. */
export const rightsOf = ({ rules, fallback_type }: Deciding, groups: readonly string[] = []): Rights | undefined => {
  const rule = rules.find(({ value }) => groups.includes(value));
  if (rule) return { userType: rule.userType, roleIds: rule.roleIds };
  return fallback_type === null ? undefined : { userType: fallback_type, roleIds: [] };
};

/**
 * Returns the roles of these rights. Leaves out deleted roles, and roles that a group may not give or the type may not
 * have. Undefined if no role is left.
 */
export const rolesFor = async (
  { db }: Scope,
  { userType, roleIds }: Rights,
  isAdminByClaim: boolean,
): Promise<string[] | undefined> => {
  const query = db.selectFrom('roles').select(['id', 'permissions']).orderBy('id');
  const roles = await (
    roleIds.length > 0 ? query.where('id', 'in', roleIds) : query.where('built_in_for', '=', userType)
  ).execute();
  const mayBeAdmin = isAdminByClaim && userType === 'ADMIN';
  const allowed = roles.filter(
    ({ permissions }) => !objectionToRole(permissions, mayBeAdmin) && !unfitFor(userType, permissions),
  );
  return allowed.length > 0 ? allowed.map(({ id }) => id) : undefined;
};

/**
 * Returns whether only this user can manage the users of the tenant. Locks, so that no other administrator loses that
 * right in the meantime.
 */
export const isLastAdministrator = async ({ db }: Scope, userId: string): Promise<boolean> => {
  // Takes the same lock as changes by an administrator (identity/user-records/assert-manageable.ts).
  await sql`select pg_advisory_xact_lock(hashtext('users and roles'), current_tenant())`.execute(db);
  const administrators = await db
    .selectFrom('users')
    .select('id')
    .where('user_type', 'in', ['ADMIN', 'SUPER_ADMIN'])
    .where('is_active', '=', true)
    .where(
      sql<boolean>`exists (select from user_roles ur join roles r on r.tenant_id = ur.tenant_id and r.id = ur.role_id
        where ur.user_id = users.id and 'user.manage' = any (r.permissions))`,
    )
    .execute();
  return administrators.every(({ id }) => id === userId);
};

/** Returns whether these are the rights of an administrator who can manage the users of the tenant. */
export const administers = async ({ db }: Scope, { userType, roleIds }: Rights): Promise<boolean> => {
  const roles = await db.selectFrom('roles').select('permissions').where('id', 'in', roleIds).execute();
  return userType === 'ADMIN' && roles.some(({ permissions }) => permissions.includes('user.manage'));
};

type Change = { userId: string; from: string; userType: TypeByClaim; roleIds: string[] };

/** Gives a user the type and roles of the groups, if they differ. Returns whether the user gains the right to sign. */
export const renewRights = async (scope: Scope, { userId, from, userType, roleIds }: Change): Promise<boolean> => {
  const { db } = scope;
  const roleRows = await db.selectFrom('user_roles').select('role_id').where('user_id', '=', userId).execute();
  const before = roleRows.map(({ role_id }) => role_id).toSorted();
  const after = roleIds.toSorted();
  if (from === userType && before.join() === after.join()) return false;
  const isSigner = gainsSigning(await permissionsOf(scope, before), await permissionsOf(scope, after));
  // Writes the type even if it is unchanged. The database then increases the revision, so that an administrator who has
  // the user open gets a conflict.
  await db.updateTable('users').set({ user_type: userType }).where('id', '=', userId).execute();
  await db.deleteFrom('user_roles').where('user_id', '=', userId).execute();
  await db
    .insertInto('user_roles')
    .values(after.map((role_id) => ({ user_id: userId, role_id })))
    .execute();
  await emit(scope, 'user.rightsChanged', { userId, userType, active: true });
  await audit(scope, 'user.renew', {
    entity: 'user',
    entityId: userId,
    detail: { how: 'single sign-on', from, to: userType, rolesBefore: before.join(' '), roles: after.join(' ') },
  });
  await announce(scope, { kind: 'users' });
  return isSigner;
};

const permissionsOf = async ({ db }: Scope, roleIds: readonly string[]): Promise<Permission[]> => {
  if (roleIds.length === 0) return [];
  const roles = await db.selectFrom('roles').select('permissions').where('id', 'in', roleIds).execute();
  return roles.flatMap(({ permissions }) => permissions);
};
