import type { Permission } from '@radwork/contract/access';
import { objectionToRole, type TypeByClaim } from '@radwork/contract/single-sign-on';
import { unfitFor } from '@radwork/contract/user-rights';
import { sql } from 'kysely';
import { announce } from '#core/announce.ts';
import { audit } from '#core/audit.ts';
import type { Scope } from '#core/scope.ts';
import { gainsSigning } from '#features/signing-holds/place-hold.ts';
import { isAssignable } from '#features/workflow/assignable.ts';
import { endAssignmentsOf } from '#features/workflow/lost-assignee.ts';
import type { StoredSettings } from './stored-settings.ts';

/** What the provider's groups make of somebody; no roles stand for the built-in one of the type. */
export type Rights = { userType: TypeByClaim; roleIds: string[] };

type Deciding = Pick<StoredSettings, 'rules' | 'fallback_type'>;

/** The rights that the first fitting group gives, or those of whom no group decides about; undefined where there are none. */
export const rightsOf = ({ rules, fallback_type }: Deciding, groups: readonly string[] = []): Rights | undefined => {
  const rule = rules.find(({ value }) => groups.includes(value));
  if (rule) return { userType: rule.userType, roleIds: rule.roleIds };
  return fallback_type === null ? undefined : { userType: fallback_type, roleIds: [] };
};

/**
 * The roles that rights come with. One that has been deleted since gives nothing, and one that has grown beyond what a
 * group may give or the type may hold neither; undefined when none is left.
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

/** Whether nobody but this user could manage the tenant's users. Nobody else stops managing them meanwhile. */
export const isLastAdministrator = async ({ db }: Scope, userId: string): Promise<boolean> => {
  // As whoever manages users by hand does (features/users/managing.ts).
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

/** Whether rights are those of an administrator who can manage the tenant's users. */
export const administers = async ({ db }: Scope, { userType, roleIds }: Rights): Promise<boolean> => {
  const roles = await db.selectFrom('roles').select('permissions').where('id', 'in', roleIds).execute();
  return userType === 'ADMIN' && roles.some(({ permissions }) => permissions.includes('user.manage'));
};

type Change = { userId: string; from: string; userType: TypeByClaim; roleIds: string[] };

/** Gives somebody the type and the roles that their groups give, if they have others. Returns whether they come to sign by that. */
export const renewRights = async (scope: Scope, { userId, from, userType, roleIds }: Change): Promise<boolean> => {
  const { db } = scope;
  const held = await db.selectFrom('user_roles').select('role_id').where('user_id', '=', userId).execute();
  const before = held.map(({ role_id }) => role_id).toSorted();
  const after = roleIds.toSorted();
  if (from === userType && before.join() === after.join()) return false;
  const isSigner = gainsSigning(await permissionsOf(scope, before), await permissionsOf(scope, after));
  // Written though it may stay the same: the database counts it, and whoever has opened the user with other roles is told.
  await db.updateTable('users').set({ user_type: userType }).where('id', '=', userId).execute();
  await db.deleteFrom('user_roles').where('user_id', '=', userId).execute();
  await db
    .insertInto('user_roles')
    .values(after.map((role_id) => ({ user_id: userId, role_id })))
    .execute();
  if (!isAssignable({ active: true, userType })) await endAssignmentsOf(scope, userId);
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
