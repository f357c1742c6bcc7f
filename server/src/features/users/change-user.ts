import { isDeepStrictEqual } from 'node:util';
import type { UserType } from '@radwork/contract/access';
import type { Body } from '@radwork/contract/endpoint';
import {
  type Manager,
  refuseGiving,
  refuseManaging,
  refuseRights,
  refuseType,
  unfitFor,
} from '@radwork/contract/user-rights';
import { type RoleChoice, type User, type UserForm, userFormOf, type users } from '@radwork/contract/users';
import { announce } from '#core/announce.ts';
import { audit } from '#core/audit.ts';
import { conflict, invalid } from '#core/problem.ts';
import type { Scope } from '#core/scope.ts';
import type { Sessions } from '#core/sessions.ts';
import { endPasswordLinks } from '#features/accounts/password-links.ts';
import { tellOwner, type Ways } from '#features/accounts/tell-owner.ts';
import { gainsSigning, place } from '#features/signing-holds/place-hold.ts';
import { isAssignable } from '#features/workflow/assignable.ts';
import { endAssignmentsOf } from '#features/workflow/lost-assignee.ts';
import { assertNot, beginManaging, keepingAnAdministrator, managed } from './managing.ts';
import { permissionsOf, roleChoices, toUser, userById, type UserRow } from './user-rows.ts';
import { unlessTaken } from './username-taken.ts';

/** What it takes beside the database: sessions that end, and mail. */
export type ManagingWays = Ways & { sessions: Sessions };

/** What somebody may be changed in; what is left out stays. */
type Change = { form?: UserForm; roles?: string[] | undefined; active?: boolean | undefined };

/**
 * Changes a user: profile, type, roles, activity. Throws a 403 by the rules of user-rights.ts, a 409 when they are no
 * longer as the caller saw them or when the last administrator would be lost, a 422 by field.
 */
export const update = async (
  scope: Scope,
  ways: ManagingWays,
  id: string,
  { revision, roles, active, ...typed }: Body<typeof users.update>,
): Promise<User> => {
  const manager = await beginManaging(scope, 'user.manage');
  const known = await userById(scope, id);
  if (known.revision !== revision) {
    throw conflict(
      'user.changed',
      'This user was changed by somebody else meanwhile. Nothing was saved; load them again.',
    );
  }
  return change(scope, ways, { manager, known, change: { form: judged(known, typed), roles, active } });
};

/** A form as the contract asks for it. Throws a 422 by field. */
const judged = (known: UserRow, typed: UserForm): UserForm => {
  const { data, error } = userFormOf(known).safeParse(typed);
  if (error) throw invalid(Object.fromEntries(error.issues.map(({ path, message }) => [path.join('.'), message])));
  return data;
};

/** Lets somebody in again, or in no more; with that all their sessions end. */
export const setStatus = async (scope: Scope, ways: ManagingWays, id: string, active: boolean): Promise<User> => {
  const manager = await beginManaging(scope, 'user.manage');
  return change(scope, ways, { manager, known: await userById(scope, id), change: { active } });
};

/** Puts these roles in the place of those that somebody has. */
export const setRoles = async (scope: Scope, ways: ManagingWays, id: string, roles: string[]): Promise<User> => {
  const manager = await beginManaging(scope, 'user.manage');
  return change(scope, ways, { manager, known: await userById(scope, id), change: { roles } });
};

/** Links for a new password go there from now on: if that is not what its owner wants, they are to hear of it (ASVS 6.3.7). */
const holdForNewAddress = (scope: Scope, ways: ManagingWays, { id, email }: UserRow): Promise<void> =>
  place(scope, ways, {
    userId: id,
    cause: 'EMAIL',
    addressBefore: email,
    title: 'An administrator changed your e-mail address',
    message: 'Links for a new password go to the new address from now on.',
  });

/** Signatures show the name, and an account that gains the right to sign may be in another person's hands. */
const holdForNameAndRights = async (
  scope: Scope,
  ways: ManagingWays,
  { id, email, ...known }: UserRow,
  { changed, roles }: { changed: readonly string[]; roles: readonly RoleChoice[] },
): Promise<void> => {
  const act = { userId: id, addressBefore: email };
  if (changed.includes('name')) {
    const title = 'An administrator changed your name';
    await place(scope, ways, { ...act, cause: 'NAME', title, message: 'Signatures show it.' });
  }
  if (gainsSigning(permissionsOf(known), permissionsOf({ roles }))) {
    const title = 'An administrator gave you the right to sign';
    await place(scope, ways, { ...act, cause: 'RIGHTS', title, message: '' });
  }
};

/** Signatures show them: the owner hears of a change by another person. */
const tellOfCredentials = async (scope: Scope, ways: ManagingWays, userId: string): Promise<void> => {
  if (userId === scope.session.userId) return;
  await tellOwner(scope, ways, userId, {
    title: 'An administrator changed your credentials',
    message: 'Signatures show them after your name. Check them on your account page.',
  });
};

type Asked = { manager: Manager; known: UserRow; change: Change };

const change = async (scope: Scope, ways: ManagingWays, asked: Asked): Promise<User> => {
  const { manager, known } = asked;
  const next = await nextRights(scope, asked);
  const before = known.roles.map(({ id }) => id);
  const hasNewRoles = !isDeepStrictEqual(next.roles.map(({ id }) => id).toSorted(), before.toSorted());
  const profile = asked.change.form ? fieldsBetween(known, asked.change.form) : [];
  const changed = [
    ...profile,
    ...(next.active === known.is_active ? [] : ['active']),
    ...(hasNewRoles ? ['roles'] : []),
  ];
  const hasNewRights = changed.some((field) => ['userType', 'roles', 'active'].includes(field));
  assertNot(hasNewRights ? refuseRights(manager, managed(known)) : refuseManaging(manager, managed(known)));
  if (changed.length === 0) return toUser(known);
  if (next.userType !== known.user_type) assertNot(refuseType(manager, next.userType));
  if (hasNewRights) assertFit(manager, next, hasNewRoles ? before : []);

  await keepingAnAdministrator(scope, async () => {
    await write(scope, known, asked.change, next.active);
    if (hasNewRoles) await replaceRoles(scope, known.id, next.roles);
  });
  if (hasNewRights) await ways.sessions.endAllOf(scope, known.id);
  if (!isAssignable(next)) await endAssignmentsOf(scope, known.id);
  if (!next.active || changed.includes('email')) await endPasswordLinks(scope, known.id);
  if (changed.includes('email')) await holdForNewAddress(scope, ways, known);
  if (changed.includes('credentials')) await tellOfCredentials(scope, ways, known.id);
  await holdForNameAndRights(scope, ways, known, { changed, roles: next.roles });
  await audit(scope, `user.${verbFor(changed, next.active)}`, {
    entity: 'user',
    entityId: known.id,
    detail: {
      fields: changed.join(', '),
      userType: next.userType,
      ...(next.userType !== known.user_type && { userTypeBefore: known.user_type }),
      ...(changed.includes('active') && { active: next.active }),
      ...(hasNewRoles && rolesBetween(known, next.roles)),
    },
  });
  await announce(scope, { kind: 'users' });
  return toUser(await userById(scope, known.id));
};

type Rights = { userType: UserType; roles: RoleChoice[]; active: boolean };

const nextRights = async (scope: Scope, { known, change: { form, roles, active } }: Asked): Promise<Rights> => {
  const userType = form?.userType ?? known.user_type;
  const choices = await roleChoices(scope);
  const held = choices.filter(({ id }) => known.roles.some((role) => role.id === id));
  return {
    userType,
    active: active ?? known.is_active,
    roles: roles ? rolesNamed(choices, roles) : withTypeOf(choices, held, known.user_type, userType),
  };
};

/** The roles of these ids. Throws a 422 for one that the organisation does not have. */
export const rolesNamed = (choices: readonly RoleChoice[], ids: readonly string[]): RoleChoice[] => {
  const named = choices.filter(({ id }) => ids.includes(id));
  if (named.length < new Set(ids).size) throw invalid({ roles: 'Choose roles of this organisation' });
  return named;
};

/** Whoever is given another type and no roles has the built-in role of that type in the place of the earlier one's. */
const withTypeOf = (
  choices: readonly RoleChoice[],
  held: RoleChoice[],
  before: UserType,
  after: UserType,
): RoleChoice[] => {
  if (before === after || !held.some(({ builtInFor }) => builtInFor === before)) return held;
  return choices.filter(
    (choice) =>
      choice.builtInFor === after || (choice.builtInFor !== before && held.some(({ id }) => id === choice.id)),
  );
};

/** Throws when somebody of a type cannot hold roles (422), or when the caller cannot give one that is new (403). */
export const assertFit = (
  manager: Manager,
  { userType, roles }: Pick<Rights, 'userType' | 'roles'>,
  before: readonly string[],
): void => {
  for (const { id, permissions } of roles) if (!before.includes(id)) assertNot(refuseGiving(manager, permissions));
  const unfit = unfitFor(
    userType,
    roles.flatMap(({ permissions }) => permissions),
  );
  if (unfit) throw invalid({ roles: unfit });
};

const write = async ({ db }: Scope, known: UserRow, { form }: Change, isActive: boolean): Promise<void> => {
  const { userType, ...profile } = form ?? {};
  await unlessTaken(
    db
      .updateTable('users')
      .set({ ...profile, ...(userType && { user_type: userType }), is_active: isActive })
      .where('id', '=', known.id),
  );
};

export const replaceRoles = async ({ db }: Scope, userId: string, roles: readonly RoleChoice[]): Promise<void> => {
  await db.deleteFrom('user_roles').where('user_id', '=', userId).execute();
  if (roles.length === 0) return;
  await db
    .insertInto('user_roles')
    .values(roles.map(({ id }) => ({ user_id: userId, role_id: id })))
    .execute();
};

const fieldsBetween = (known: UserRow, form: UserForm): string[] => {
  const before = { ...known, userType: known.user_type };
  const fields = ['username', 'name', 'email', 'userType', 'specialization', 'department', 'credentials'] as const;
  return fields.filter((field) => form[field] !== undefined && before[field] !== form[field]);
};

const verbFor = (changed: readonly string[], isActive: boolean): string => {
  if (changed.length > 1 || changed[0] !== 'active') return 'update';
  return isActive ? 'activate' : 'deactivate';
};

/** Roles are the organisation's own words for what people do, and no names of people. */
const rolesBetween = (known: UserRow, roles: readonly RoleChoice[]) => ({
  rolesBefore: known.roles.map(({ name }) => name).join(', '),
  rolesAfter: roles.map(({ name }) => name).join(', '),
});
