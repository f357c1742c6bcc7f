import { sentence, t } from '@radwork/contract/core/translate';
import { isDeepStrictEqual } from 'node:util';
import type { UserType } from '@radwork/contract/core/access';
import type { Body } from '@radwork/contract/core/endpoint';
import {
  type Manager,
  refuseGiving,
  refuseManaging,
  refuseRights,
  refuseType,
  unfitFor,
} from '@radwork/contract/identity/user-rights';
import { type RoleChoice, type User, type UserForm, userFormOf, type users } from '@radwork/contract/identity/users';
import { announce } from '#core/live/announce.ts';
import { audit } from '#core/audit/audit.ts';
import { emit } from '#core/events/emit.ts';
import { conflict, invalid } from '#core/http/problem.ts';
import { unlessTaken } from '#core/database/unless-taken.ts';
import type { Scope } from '#core/access/scope.ts';
import type { Sessions } from '#core/access/sessions.ts';
import { endPasswordLinks } from '#identity/credentials/password-links.ts';
import { notifyOwner, type MailContext } from '#identity/credentials/notify-owner.ts';
import { gainsSigning, placeHold } from '#identity/signing-holds/create-hold.ts';
import {
  assertNot,
  beginManaging,
  withRemainingAdministrator,
  toManaged,
} from '#identity/user-records/assert-manageable.ts';
import { permissionsOf, roleChoices, toUser, userById, type UserRow } from '#identity/user-records/user-rows.ts';
import { usernameTaken } from './username-taken.ts';

/** Services that a change needs besides the database: sessions to end, and mail. */
export type ManagingContext = MailContext & { sessions: Sessions };

/** The parts of a change. A part that is missing stays unchanged. */
type Change = { form?: UserForm; roles?: string[] | undefined; active?: boolean | undefined };

/**
 * Changes profile, type, roles or activity of a user. Throws 403 by the rules of user-rights.ts. Throws 409 if the user
 * has changed since the caller read it, or if no administrator would be left. Throws 422 by field.
 */
export const update = async (
  scope: Scope,
  context: ManagingContext,
  id: string,
  { revision, roles, active, ...form }: Body<typeof users.update>,
): Promise<User> => {
  const manager = await beginManaging(scope, 'user.manage');
  const known = await userById(scope, id);
  if (known.revision !== revision) {
    throw conflict('user.changed', t`Another user changed this user. Nothing was saved. Reload the user.`);
  }
  return change(scope, context, { manager, known, change: { form: judged(known, form), roles, active } });
};

/** Checks a form by the rules of the contract. Throws 422 by field. */
const judged = (known: UserRow, form: UserForm): UserForm => {
  const { data, error } = userFormOf(known).safeParse(form);
  if (error) throw invalid(Object.fromEntries(error.issues.map(({ path, message }) => [path.join('.'), message])));
  return data;
};

/** Activates or deactivates a user. Deactivation ends all sessions of the user. */
export const setStatus = async (scope: Scope, context: ManagingContext, id: string, active: boolean): Promise<User> => {
  const manager = await beginManaging(scope, 'user.manage');
  return change(scope, context, { manager, known: await userById(scope, id), change: { active } });
};

/** Replaces the roles of a user. */
export const setRoles = async (scope: Scope, context: ManagingContext, id: string, roles: string[]): Promise<User> => {
  const manager = await beginManaging(scope, 'user.manage');
  return change(scope, context, { manager, known: await userById(scope, id), change: { roles } });
};

/**
 * Places a signing hold on the account and notifies the user, because links for a new password now go to the new
 * address (ASVS 6.3.7).
 */
const holdForNewAddress = (scope: Scope, context: ManagingContext, { id, email }: UserRow): Promise<void> =>
  placeHold(scope, context, {
    userId: id,
    cause: 'EMAIL',
    addressBefore: email,
    title: sentence`An administrator changed your e-mail address`,
    message: sentence`Password links now go to the new address.`,
  });

/**
 * Places signing holds for a new name, because signatures show the name, and for a new right to sign. Another person
 * may now use the account.
 */
const holdForNameAndRights = async (
  scope: Scope,
  context: ManagingContext,
  { id, email, ...known }: UserRow,
  { changed, roles }: { changed: readonly string[]; roles: readonly RoleChoice[] },
): Promise<void> => {
  const act = { userId: id, addressBefore: email };
  if (changed.includes('name')) {
    const title = sentence`An administrator changed your name`;
    await placeHold(scope, context, {
      ...act,
      cause: 'NAME',
      title,
      message: sentence`Your signatures show the new name.`,
    });
  }
  if (gainsSigning(permissionsOf(known), permissionsOf({ roles }))) {
    const title = sentence`An administrator gave you permission to sign`;
    await placeHold(scope, context, { ...act, cause: 'RIGHTS', title });
  }
};

/** Notifies a user that another user changed the credentials that signatures show. */
const notifyOfCredentials = async (scope: Scope, context: ManagingContext, userId: string): Promise<void> => {
  if (userId === scope.session.userId) return;
  await notifyOwner(scope, context, userId, {
    title: sentence`An administrator changed your credentials`,
    message: sentence`Your signatures show them after your name. Check them under My account.`,
  });
};

type ChangeRequest = { manager: Manager; known: UserRow; change: Change };

const change = async (scope: Scope, context: ManagingContext, request: ChangeRequest): Promise<User> => {
  const { manager, known } = request;
  const next = await nextRights(scope, request);
  const before = known.roles.map(({ id }) => id);
  const hasNewRoles = !isDeepStrictEqual(next.roles.map(({ id }) => id).toSorted(), before.toSorted());
  const profile = request.change.form ? fieldsBetween(known, request.change.form) : [];
  const changed = [
    ...profile,
    ...(next.active === known.is_active ? [] : ['active']),
    ...(hasNewRoles ? ['roles'] : []),
  ];
  const hasNewRights = changed.some((field) => ['userType', 'roles', 'active'].includes(field));
  assertNot(hasNewRights ? refuseRights(manager, toManaged(known)) : refuseManaging(manager, toManaged(known)));
  if (changed.length === 0) return toUser(known);
  if (next.userType !== known.user_type) assertNot(refuseType(manager, next.userType));
  if (hasNewRights) assertFit(manager, next, hasNewRoles ? before : []);

  await withRemainingAdministrator(scope, async () => {
    await write(scope, known, request.change, next.active);
    if (hasNewRoles) await replaceRoles(scope, known.id, next.roles);
  });
  if (hasNewRights) await context.sessions.endAllOf(scope, known.id);
  await emit(scope, 'user.rightsChanged', { userId: known.id, userType: next.userType, active: next.active });
  if (!next.active || changed.includes('email')) await endPasswordLinks(scope, known.id);
  if (changed.includes('email')) await holdForNewAddress(scope, context, known);
  if (changed.includes('credentials')) await notifyOfCredentials(scope, context, known.id);
  await holdForNameAndRights(scope, context, known, { changed, roles: next.roles });
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

const nextRights = async (scope: Scope, { known, change: { form, roles, active } }: ChangeRequest): Promise<Rights> => {
  const userType = form?.userType ?? known.user_type;
  const choices = await roleChoices(scope);
  const currentRoles = choices.filter(({ id }) => known.roles.some((role) => role.id === id));
  return {
    userType,
    active: active ?? known.is_active,
    roles: roles ? rolesNamed(choices, roles) : withTypeOf(choices, currentRoles, known.user_type, userType),
  };
};

/** Returns the roles with these ids. Throws 422 for a role that the organization does not have. */
export const rolesNamed = (choices: readonly RoleChoice[], ids: readonly string[]): RoleChoice[] => {
  const selected = choices.filter(({ id }) => ids.includes(id));
  if (selected.length < new Set(ids).size) throw invalid({ roles: t`Choose roles of this organization` });
  return selected;
};

/** Replaces the built-in role of the previous type by that of the new type, unless the form chooses roles. */
const withTypeOf = (
  choices: readonly RoleChoice[],
  currentRoles: RoleChoice[],
  before: UserType,
  after: UserType,
): RoleChoice[] => {
  if (before === after || !currentRoles.some(({ builtInFor }) => builtInFor === before)) return currentRoles;
  return choices.filter(
    (choice) =>
      choice.builtInFor === after || (choice.builtInFor !== before && currentRoles.some(({ id }) => id === choice.id)),
  );
};

/**
 * Throws 422 if the type cannot have the roles. Throws 403 if the caller may not give a role that is new to the user.
 */
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
    'users_username',
    usernameTaken,
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

/** Describes changed roles for the audit log. Names of roles are not personal data. */
const rolesBetween = (known: UserRow, roles: readonly RoleChoice[]) => ({
  rolesBefore: known.roles.map(({ name }) => name).join(', '),
  rolesAfter: roles.map(({ name }) => name).join(', '),
});
