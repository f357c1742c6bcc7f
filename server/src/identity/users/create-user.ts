import { sentence, t } from '@radwork/contract/core/translate';
import type { Body } from '@radwork/contract/core/endpoint';
import { refuseManaging, refuseRights, refuseType } from '@radwork/contract/identity/user-rights';
import type { CreatedUser, PasswordLink, RemovedUser, User, users } from '@radwork/contract/identity/users';
import { sql } from 'kysely';
import { announce } from '#core/live/announce.ts';
import { audit } from '#core/audit/audit.ts';
import { newId } from '#core/values/ids.ts';
import { conflict } from '#core/http/problem.ts';
import { unlessTaken } from '#core/database/unless-taken.ts';
import type { Scope } from '#core/access/scope.ts';
import type { PasswordLinkPurpose } from '#identity/credentials/password-links.ts';
import { sendPasswordLink } from '#identity/credentials/send-password-link.ts';
import type { MailContext } from '#identity/credentials/notify-owner.ts';
import { placeHoldOnNewUser, placeHold } from '#identity/signing-holds/create-hold.ts';
import { assertFit, type ManagingContext, replaceRoles, rolesNamed, setStatus } from './change-user.ts';
import {
  assertNot,
  beginManaging,
  withRemainingAdministrator,
  toManaged,
} from '#identity/user-records/assert-manageable.ts';
import { roleChoices, toUser, userById, type UserRow } from '#identity/user-records/user-rows.ts';
import { usernameTaken } from './username-taken.ts';

type NewUser = Omit<Body<typeof users.create>, 'tenantId'>;

/**
 * Creates a user without a password, and an invitation to set one. Throws 403 by the rules of user-rights.ts, 409 when
 * the username is in use, and 422 by field.
 */
export const create = async (scope: Scope, context: MailContext, form: NewUser): Promise<CreatedUser> => {
  const manager = await beginManaging(scope, 'user.manage');
  assertNot(refuseType(manager, form.userType));
  const choices = await roleChoices(scope);
  const roles = form.roles
    ? rolesNamed(choices, form.roles)
    : choices.filter(({ builtInFor }) => builtInFor === form.userType);
  assertFit(manager, { userType: form.userType, roles }, []);
  const id = newId();
  await insert(scope, id, form);
  await replaceRoles(scope, id, roles);
  await audit(scope, 'user.create', {
    entity: 'user',
    entityId: id,
    detail: { userType: form.userType, roles: roles.map(({ name }) => name).join(', ') },
  });
  await announce(scope, { kind: 'users' });
  await placeHoldOnNewUser(scope, context, id);
  return { user: toUser(await userById(scope, id)), invitation: await inviteTo(scope, context, id, form) };
};

const inviteTo = async (scope: Scope, context: MailContext, id: string, form: NewUser): Promise<PasswordLink | null> =>
  form.isInvited && form.active !== false ? letIn(scope, context, id, 'INVITE') : null;

const insert = async ({ db }: Scope, id: string, form: NewUser): Promise<void> => {
  const { username, name, email, userType, specialization, department, credentials = '', active = true } = form;
  await unlessTaken(
    'users_username',
    usernameTaken,
    db.insertInto('users').values({
      id,
      username,
      name,
      email,
      user_type: userType,
      password_hash: null,
      is_active: active,
      specialization,
      department,
      credentials,
    }),
  );
};

/** Creates a link with which a user sets a password. Ends earlier links. */
const letIn = async (
  scope: Scope,
  context: MailContext,
  userId: string,
  purpose: PasswordLinkPurpose,
): Promise<PasswordLink> => ({
  sentTo: null,
  link: null,
  ...(await sendPasswordLink(scope, context, userId, purpose)),
});

/** Creates a link with which a user sets a new password. Administrators neither see nor choose the password. */
export const resetPassword = async (scope: Scope, context: MailContext, id: string): Promise<PasswordLink> => {
  const manager = await beginManaging(scope, 'user.manage');
  const known = await userById(scope, id);
  assertNot(refuseManaging(manager, toManaged(known)));
  if (!known.is_active) throw conflict('user.inactive', t`This user is deactivated. Activate the user first.`);
  await placeHold(scope, context, {
    userId: id,
    cause: 'PASSWORD',
    addressBefore: known.email,
    title: sentence`An administrator requested a new password for you`,
  });
  const link = await letIn(scope, context, id, known.hasPassword ? 'RESET' : 'INVITE');
  await audit(scope, 'user.reset_password', { entity: 'user', entityId: id });
  return link;
};

/** Deletes a user without records. A user with records is deactivated and returned. */
export const remove = async (scope: Scope, context: ManagingContext, id: string): Promise<RemovedUser> => {
  const manager = await beginManaging(scope, 'user.manage');
  const known = await userById(scope, id);
  assertNot(refuseRights(manager, toManaged(known)));
  if (await hasRecords(scope, known)) {
    const user: User = known.is_active ? await setStatus(scope, context, id, false) : toUser(known);
    return { outcome: 'DEACTIVATED', user };
  }
  await withRemainingAdministrator(scope, () => deleteUser(scope, id));
  await audit(scope, 'user.delete', { entity: 'user', entityId: id });
  return { outcome: 'DELETED', user: null };
};

/** Returns whether a user has records. Every user who has signed in has some, at least in the audit log. */
export const hasRecords = async ({ db }: Scope, known: UserRow): Promise<boolean> => {
  if (known.last_login_at !== null) return true;
  const { rows } = await sql<{ answer: boolean }>`select user_has_records(${known.id}) as answer`.execute(db);
  return rows[0]?.answer ?? true;
};

/** Deletes a user without records, with the user's roles and notifications. */
export const deleteUser = async (scope: Scope, id: string): Promise<void> => {
  const { db } = scope;
  for (const table of ['user_roles', 'notifications', 'unwanted_notifications'] as const) {
    await db.deleteFrom(table).where('user_id', '=', id).execute();
  }
  await db.deleteFrom('users').where('id', '=', id).execute();
  await announce(scope, { kind: 'users' });
};
