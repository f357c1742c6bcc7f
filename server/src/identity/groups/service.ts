import { plural, t } from '@radwork/contract/core/translate';
import type { Body } from '@radwork/contract/core/endpoint';
import type { Group, GroupDetails, GroupForm, groups as endpoints } from '@radwork/contract/identity/groups';
import { type Manager, refuseManaging } from '@radwork/contract/identity/user-rights';
import type { Scope } from '#core/access/scope.ts';
import type { Sessions } from '#core/access/sessions.ts';
import { audit } from '#core/audit/audit.ts';
import { emit } from '#core/events/emit.ts';
import { conflict, invalid, Problem } from '#core/http/problem.ts';
import { unlessTaken } from '#core/database/unless-taken.ts';
import { announce } from '#core/live/announce.ts';
import { newId } from '#core/values/ids.ts';
import { assertNot, beginManaging, toManaged } from '#identity/user-records/assert-manageable.ts';
import { userById, type UserRow, userRows } from '#identity/user-records/user-rows.ts';
import {
  addMembers,
  allGroups,
  columnsOf,
  deleteGroup,
  groupById,
  lockGroup,
  lockUsers,
  removeMembers,
  usersLosingStudies,
  usesOf,
} from './group-rows.ts';

export const list = (scope: Scope): Promise<Group[]> => allGroups(scope);

/** Returns a group with its members. Throws 404. */
export const get = (scope: Scope, id: string): Promise<GroupDetails> => groupById(scope, id);

/**
 * Creates a group with members. Throws 403 for a member whom the caller may not manage, 409 when the name is in use, and
 * 422 for an unknown member.
 */
export const create = async (scope: Scope, sessions: Sessions, form: GroupForm): Promise<GroupDetails> => {
  const manager = await beginManaging(scope, 'user.manage');
  const members = await usersToManage(scope, manager, form.memberIds);
  const id = newId();
  await unlessTaken('groups_name', nameTaken, scope.db.insertInto('groups').values({ id, ...columnsOf(form) }));
  await addMembers(
    scope,
    id,
    members.map((member) => member.id),
  );
  await audit(scope, 'group.create', {
    entity: 'group',
    entityId: id,
    detail: { name: form.name, kind: form.kind, isLimiting: form.isLimiting, added: namesOf(members) },
  });
  await endHiddenWork(scope, form.memberIds);
  await announceChange(scope, sessions);
  return groupById(scope, id);
};

/**
 * Changes a group and its members, from their next call on. Throws 403 for a member whom the caller may not manage.
 * Throws 409 when the name is in use or the group has changed since. Throws 422 for an unknown member.
 */
export const update = async (
  scope: Scope,
  sessions: Sessions,
  id: string,
  { revision, ...form }: Body<typeof endpoints.update>,
): Promise<GroupDetails> => {
  const manager = await beginManaging(scope, 'user.manage');
  const known = await groupById(scope, id);
  if (known.revision !== revision) {
    throw conflict('group.changed', t`Another user changed this group. Nothing was saved. Reload it.`);
  }
  const before = known.members.map((member) => member.id);
  const added = await usersToManage(
    scope,
    manager,
    form.memberIds.filter((member) => !before.includes(member)),
  );
  const removed = await usersToManage(
    scope,
    manager,
    before.filter((member) => !form.memberIds.includes(member)),
  );
  await removeMembers(
    scope,
    id,
    removed.map((member) => member.id),
  );
  await unlessTaken(
    'groups_name',
    nameTaken,
    scope.db
      .updateTable('groups')
      .set({ ...columnsOf(form), revision: revision + 1, updated_at: new Date().toISOString() })
      .where('id', '=', id),
  );
  await addMembers(
    scope,
    id,
    added.map((member) => member.id),
  );
  await audit(scope, 'group.update', {
    entity: 'group',
    entityId: id,
    detail: {
      name: form.name,
      ...(form.name !== known.name && { nameBefore: known.name }),
      kind: form.kind,
      isLimiting: form.isLimiting,
      added: namesOf(added),
      removed: namesOf(removed),
      arrivalNames: form.arrivalNames.join(', '),
    },
  });
  await endHiddenWork(scope, [...before, ...form.memberIds]);
  await announceChange(scope, sessions);
  return groupById(scope, id);
};

/** Deletes a group and its saved views. Its members stay limited. Throws 409 while devices or active assignments need it. */
export const remove = async (scope: Scope, sessions: Sessions, id: string): Promise<void> => {
  const manager = await beginManaging(scope, 'user.manage');
  const known = await groupById(scope, id);
  const memberIds = known.members.map((member) => member.id);
  await usersToManage(scope, manager, memberIds);
  await lockUsers(scope, memberIds);
  await lockGroup(scope, id);
  const { devices, assignments } = await usesOf(scope, id);
  if (devices > 0) {
    throw conflict(
      'group.in_use',
      plural(devices, {
        one: '# device has this group. Change the device first.',
        other: '# devices have this group. Change these devices first.',
      }),
    );
  }
  if (assignments > 0) {
    throw conflict(
      'group.in_use',
      plural(assignments, {
        one: '# study is assigned to this group. Remove the assignment first.',
        other: '# studies are assigned to this group. Remove these assignments first.',
      }),
    );
  }
  await emit(scope, 'group.deleted', { groupId: id });
  await deleteGroup(scope, id);
  await audit(scope, 'group.delete', {
    entity: 'group',
    entityId: id,
    detail: { name: known.name, removed: namesOf(known.members), studies: known.studyCount },
  });
  await endHiddenWork(scope, memberIds);
  await announceChange(scope, sessions);
};

/**
 * Limits a user to the studies of own groups, or lifts the limit. Throws 409 for an administrator, and for a member of a
 * limiting group whose limit would be lifted.
 */
export const setLimit = async (scope: Scope, sessions: Sessions, id: string, isLimited: boolean): Promise<void> => {
  const manager = await beginManaging(scope, 'user.manage');
  const user = await userById(scope, id);
  assertNot(refuseManaging(manager, toManaged(user)));
  if (isLimited && (user.user_type === 'SUPER_ADMIN' || user.user_type === 'ADMIN')) {
    throw conflict('user.not_limited', t`Administrators always see all studies`);
  }
  const [limiting] = user.groups.filter((group) => group.isLimiting);
  if (!isLimited && limiting) {
    throw conflict('user.in_limiting_group', t`Remove the user from the group ${limiting.name} first`);
  }
  await scope.db.updateTable('users').set({ sees_own_groups_only: isLimited }).where('id', '=', id).execute();
  await audit(scope, 'user.limit', { entity: 'user', entityId: id, detail: { isLimited } });
  await endHiddenWork(scope, [id]);
  await announceChange(scope, sessions);
};

/**
 * Ends the assignments of studies that the groups of these users now hide, as for users who lose other rights.
 * Otherwise these studies would count as assigned, but no user would read them.
 */
const endHiddenWork = async (scope: Scope, userIds: readonly string[]): Promise<void> => {
  await lockUsers(scope, userIds);
  for (const { id, user_type, is_active } of await usersLosingStudies(scope, userIds)) {
    await emit(scope, 'user.rightsChanged', { userId: id, userType: user_type, active: is_active });
  }
};

/** Returns these users. Throws 422 for an unknown user or a patient, and 403 for one whom the caller may not manage. */
const usersToManage = async (scope: Scope, manager: Manager, userIds: readonly string[]): Promise<UserRow[]> => {
  const ids = [...new Set(userIds)];
  if (ids.length === 0) return [];
  const users = await userRows(scope).where('u.id', 'in', ids).execute();
  if (users.length < ids.length || users.some(({ user_type }) => user_type === 'PATIENT')) {
    throw invalid({ memberIds: t`Choose users of this organization` });
  }
  for (const user of users) assertNot(refuseManaging(manager, toManaged(user)));
  return users;
};

/** Servers cache sessions with their groups. Other servers hear of the change from the database. */
const announceChange = async (scope: Scope, sessions: Sessions): Promise<void> => {
  scope.afterCommit(sessions.forget);
  await announce(scope, { kind: 'users' });
};

const namesOf = (users: readonly { username: string }[]): string => users.map(({ username }) => username).join(', ');

const nameTaken = (): Problem => {
  const name = t`A group with this name already exists`;
  return new Problem(409, 'group.taken', name, { fields: { name } });
};
