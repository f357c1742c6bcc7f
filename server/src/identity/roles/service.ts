import { plural, sentence, t } from '@radwork/contract/core/translate';
import { builtInRoleWords, type Permission, type UserType } from '@radwork/contract/core/access';
import type { Body } from '@radwork/contract/core/endpoint';
import type { Role, RoleForm, roles as endpoints } from '@radwork/contract/identity/roles';
import {
  type Manager,
  ownRights,
  refuseGiving,
  refuseManaging,
  unfitFor,
} from '@radwork/contract/identity/user-rights';
import { sql } from 'kysely';
import { announce } from '#core/live/announce.ts';
import { audit } from '#core/audit/audit.ts';
import { newId } from '#core/values/ids.ts';
import { conflict, orNotFound, invalid, Problem } from '#core/http/problem.ts';
import { unlessTaken } from '#core/database/unless-taken.ts';
import type { Scope } from '#core/access/scope.ts';
import type { MailContext } from '#identity/credentials/notify-owner.ts';
import { recordRightsChosen } from '#identity/single-sign-on/stored-settings.ts';
import { gainsSigning, placeHold } from '#identity/signing-holds/create-hold.ts';
import {
  assertNot,
  beginManaging,
  callerAsUser,
  withRemainingAdministrator,
  toManaged,
} from '#identity/user-records/assert-manageable.ts';
import { byRank, permissionsOf, userRows } from '#identity/user-records/user-rows.ts';

const roleRows = ({ db, session }: Scope) =>
  db
    .selectFrom('roles as r')
    .select(['r.id', 'r.name', 'r.description', 'r.permissions', 'r.built_in_for', 'r.revision'])
    .select(sql<number>`(select count(*)::int from user_roles ur where ur.role_id = r.id)`.as('holders'))
    .select(
      sql<boolean>`exists (select from user_roles ur
        where ur.role_id = r.id and ur.user_id = nullif(${session.userId}, '')::uuid)`.as('isOwn'),
    );

type RoleRow = Awaited<ReturnType<ReturnType<typeof roleRows>['executeTakeFirstOrThrow']>>;

const toRole = ({ built_in_for, description, ...row }: RoleRow): Role => {
  const builtInFor = built_in_for as UserType | null;
  return { ...row, builtInFor, description: builtInFor ? builtInRoleWords[builtInFor]() : description };
};

export const list = async (scope: Scope): Promise<Role[]> => {
  const rows = await roleRows(scope)
    .orderBy(byRank('r.built_in_for'))
    .orderBy(sql`lower(r.name)`)
    .execute();
  return rows.map(toRole);
};

/** Returns a role of the tenant. Throws 404. */
export const get = async (scope: Scope, id: string): Promise<Role> =>
  toRole(orNotFound(await roleRows(scope).where('r.id', '=', id).executeTakeFirst(), 'role'));

/**
 * Creates a role. Throws 403 for permissions that the caller may not give (user-rights.ts), and 409 when the name is in
 * use.
 */
export const create = async (scope: Scope, form: RoleForm): Promise<Role> => {
  const manager = await beginManaging(scope, 'role.manage');
  assertNot(refuseGiving(manager, form.permissions));
  return insert(scope, form, {});
};

/** Creates a role with the permissions of another role. A built-in role can be changed only as a copy. */
export const clone = async (scope: Scope, id: string, name: string): Promise<Role> => {
  const manager = await beginManaging(scope, 'role.manage');
  const { permissions, description } = await get(scope, id);
  assertNot(refuseGiving(manager, permissions));
  return insert(scope, { name, description, permissions }, { clonedFrom: id });
};

const insert = async (scope: Scope, form: RoleForm, detail: { clonedFrom?: string }): Promise<Role> => {
  const id = newId();
  await unlessTaken(nameConstraints, nameTaken, scope.db.insertInto('roles').values({ id, ...form }));
  await audit(scope, 'role.create', {
    entity: 'role',
    entityId: id,
    detail: { name: form.name, permissions: form.permissions.join(', '), ...detail },
  });
  await announce(scope, { kind: 'roles' });
  return get(scope, id);
};

/**
 * Changes a role. The change applies from the next call of each holder. Throws 403 by the rules of user-rights.ts.
 * Throws 409 when the role is built in or outdated, or when no administrator would be left. Throws 422 when the user
 * type of a holder cannot have a permission.
 */
export const update = async (
  scope: Scope,
  context: MailContext,
  id: string,
  { revision, ...form }: Body<typeof endpoints.update>,
): Promise<Role> => {
  const manager = await beginManaging(scope, 'role.manage');
  const known = await get(scope, id);
  assertOwnMaking(known);
  if (known.revision !== revision) {
    throw conflict('role.changed', t`Another user changed this role. Nothing was saved. Reload it.`);
  }
  const added = form.permissions.filter((permission) => !known.permissions.includes(permission));
  const removed = known.permissions.filter((permission) => !form.permissions.includes(permission));
  assertNot(refuseGiving(manager, [...known.permissions, ...added]));
  assertNot(refuseRaisingOneself(manager, known, added));
  if (added.length + removed.length > 0) assertNot(await refuseChangingHolders(scope, manager, id));
  await assertFitForHolders(scope, id, form.permissions);
  const gaining = gainsSigning([], added) ? await holdersWithout(scope, id, added) : [];
  await withRemainingAdministrator(scope, () =>
    unlessTaken(
      nameConstraints,
      nameTaken,
      scope.db
        .updateTable('roles')
        .set({ ...form, revision: revision + 1, updated_at: sql`now()` })
        .where('id', '=', id),
    ),
  );
  assertNotLosing(manager, await callerAsUser(scope));
  await audit(scope, 'role.update', {
    entity: 'role',
    entityId: id,
    detail: {
      name: form.name,
      ...(form.name !== known.name && { nameBefore: known.name }),
      added: added.join(', '),
      taken: removed.join(', '),
      holders: known.holders,
    },
  });
  for (const { id: userId, email } of gaining) {
    const title = sentence`An administrator gave you permission to sign`;
    await placeHold(scope, context, { userId, cause: 'RIGHTS', addressBefore: email, title });
  }
  // Records the change, because a group of single sign-on may give the role to users at their next sign-in.
  if (gainsSigning([], added)) await recordRightsChosen(scope);
  await announce(scope, { kind: 'roles' });
  return get(scope, id);
};

/** Returns the holders of the role who gain the right to sign by the added permissions. */
const holdersWithout = async (scope: Scope, id: string, added: readonly Permission[]) => {
  const holders = await userRows(scope)
    .where(sql<boolean>`exists (select from user_roles ur where ur.user_id = u.id and ur.role_id = ${id})`)
    .execute();
  return holders.filter((holder) => gainsSigning(permissionsOf(holder), added));
};

const refuseRaisingOneself = (manager: Manager, { isOwn }: Role, added: readonly Permission[]): string | undefined =>
  isOwn && added.some((permission) => !manager.permissions.includes(permission)) ? ownRights() : undefined;

/**
 * Prevents super administrators from losing their right by a change of their own role. The caller may be the last super
 * administrator, and then no other user could restore the right.
 */
const assertNotLosing = (before: Manager, after: Manager | undefined): void => {
  const looksAfterAll = ({ permissions }: Manager) => permissions.includes('tenant.manage');
  if (!after || !looksAfterAll(before) || looksAfterAll(after)) return;
  throw conflict(
    'role.own_operator',
    t`You would lose the permission to manage organizations. Ask another super administrator to change this.`,
  );
};

/**
 * Returns why the caller may not change the role, if so. Changing a role changes the rights of its holders, so the
 * caller must have the right to manage each of them.
 */
const refuseChangingHolders = async (scope: Scope, manager: Manager, id: string): Promise<string | undefined> => {
  const others = await userRows(scope)
    .where('u.id', '!=', manager.id)
    .where(sql<boolean>`exists (select from user_roles ur where ur.user_id = u.id and ur.role_id = ${id})`)
    .execute();
  const [refusal] = others.flatMap((holder) => refuseManaging(manager, toManaged(holder)) ?? []);
  return refusal && t`You cannot edit all users with this role. ${refusal}`;
};

/** Deletes a role without holders. Throws 409 with the number of holders. */
export const remove = async (scope: Scope, id: string): Promise<void> => {
  const manager = await beginManaging(scope, 'role.manage');
  const known = await get(scope, id);
  assertOwnMaking(known);
  assertNot(refuseGiving(manager, known.permissions));
  if (known.holders > 0) {
    const { holders } = known;
    throw conflict(
      'role.in_use',
      plural(holders, {
        one: '# user has this role. Give this user another role first.',
        other: '# users have this role. Give these users another role first.',
      }),
    );
  }
  await scope.db.deleteFrom('roles').where('id', '=', id).execute();
  await audit(scope, 'role.delete', { entity: 'role', entityId: id, detail: { name: known.name } });
  await announce(scope, { kind: 'roles' });
};

const assertOwnMaking = ({ builtInFor }: Role): void => {
  if (builtInFor !== null)
    throw conflict('role.built_in', t`Built-in roles cannot be changed. Clone the role and edit the copy.`);
};

const assertFitForHolders = async ({ db }: Scope, id: string, permissions: readonly Permission[]): Promise<void> => {
  const types = await db
    .selectFrom('users as u')
    .innerJoin('user_roles as ur', 'ur.user_id', 'u.id')
    .select('u.user_type')
    .distinct()
    .where('ur.role_id', '=', id)
    .execute();
  const [unfit] = types.flatMap(({ user_type }) => unfitFor(user_type, permissions) ?? []);
  if (unfit) throw invalid({ permissions: t`Not every user with this role can have these permissions. ${unfit}` });
};

/** The index ignores case. */
const nameConstraints = ['roles_name', 'roles_tenant_id_name_key'];

const nameTaken = (): Problem => {
  const name = t`A role with this name already exists`;
  return new Problem(409, 'role.taken', name, { fields: { name } });
};
