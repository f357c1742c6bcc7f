import { sentence, t } from '@radwork/contract/core/translate';
import type { SsoArrival, UserIdentity } from '@radwork/contract/identity/single-sign-on';
import { type Manager, refuseManaging } from '@radwork/contract/identity/user-rights';
import { sql } from 'kysely';
import { audit } from '#core/audit/audit.ts';
import type { Context } from '#core/context.ts';
import { newId } from '#core/values/ids.ts';
import { conflict, orNotFound, invalid } from '#core/http/problem.ts';
import type { Scope } from '#core/access/scope.ts';
import type { MailContext } from '#identity/credentials/notify-owner.ts';
import { placeHold } from '#identity/signing-holds/create-hold.ts';
import { assertNot, beginManaging, toManaged } from '#identity/user-records/assert-manageable.ts';
import { userById, type UserRow, userRows } from '#identity/user-records/user-rows.ts';
import { endTickets } from './attempts.ts';
import { settingsToChange } from './stored-settings.ts';

const identities = ({ db }: Scope) =>
  db
    .selectFrom('user_identities')
    .innerJoin('users', 'users.id', 'user_identities.user_id')
    .select(['user_identities.id', 'username', 'name', 'issuer', 'subject'])
    .select(['linked_by as linkedBy', 'user_identities.created_at as createdAt', 'last_used_at as lastUsedAt']);

/** Lists the users who are connected with the provider, by username. */
export const listIdentities = (scope: Scope): Promise<UserIdentity[]> =>
  identities(scope).orderBy('username').orderBy('issuer').execute();

/** Lists visitors from the provider who are not connected with a user, latest first. */
export const listArrivals = ({ db }: Scope): Promise<SsoArrival[]> =>
  db
    .selectFrom('sso_arrivals as a')
    .select(['id', 'issuer', 'subject', 'username', 'name', 'email', 'last_at as lastAt'])
    .select(sql<boolean>`exists (select from users u where lower(u.username) = lower(a.username))`.as('isNameTaken'))
    .orderBy('last_at', 'desc')
    .execute();

/**
 * Connects a visitor from the provider with a user. From then on, the visitor signs in as this user. Throws 404 for an
 * unknown visitor, and 422 for an unknown or unsuitable user. Throws 403 by the rules of user-rights.ts, and 409 if the
 * user is already connected.
 */
export const link = async (
  scope: Scope,
  context: MailContext,
  arrivalId: string,
  username: string,
): Promise<UserIdentity> => {
  const { db, session } = scope;
  const arrival = orNotFound(
    await db.selectFrom('sso_arrivals').selectAll().where('id', '=', arrivalId).forUpdate().executeTakeFirst(),
    'arrival',
  );
  const { id: userId, email } = await userToLink(scope, username);
  const { issuer, subject } = arrival;
  const id = newId();
  const added = await db
    .insertInto('user_identities')
    .values({ id, issuer, subject, user_id: userId, linked_by: session.name })
    .onConflict((known) => known.doNothing())
    .executeTakeFirst();
  if (added.numInsertedOrUpdatedRows === 0n) {
    throw conflict('identity.exists', t`This user is already linked to another account of this provider`);
  }
  await db.deleteFrom('sso_arrivals').where('id', '=', arrivalId).execute();
  await placeHold(scope, context, {
    userId,
    cause: 'SINGLE_SIGN_ON',
    addressBefore: email,
    title: sentence`An administrator linked your account to single sign-on`,
  });
  await audit(scope, 'identity.link', { entity: 'user_identity', entityId: id, detail: { userId } });
  return identities(scope).where('user_identities.id', '=', id).executeTakeFirstOrThrow();
};

const userToLink = async (scope: Scope, username: string): Promise<UserRow> => {
  const manager = await beginManaging(scope, 'user.manage');
  const user = await userRows(scope)
    .where((on) => on.fn<string>('lower', ['u.username']), '=', username.toLowerCase())
    .executeTakeFirst();
  if (!user) throw invalid({ username: t`User not found. Create the user first.` });
  if (!user.is_active) throw invalid({ username: t`This user is deactivated` });
  if (user.user_type === 'SUPER_ADMIN' || user.user_type === 'PATIENT') {
    throw invalid({ username: t`Users of this type sign in with their password only` });
  }
  assertMayConnect(manager, user);
  return user;
};

/**
 * Throws unless the caller may manage the user. Otherwise administrators could sign in as a user with more rights, or
 * act under another name.
 */
const assertMayConnect = (manager: Manager, user: UserRow): void => {
  if (user.id !== manager.id) assertNot(refuseManaging(manager, toManaged(user)));
};

/** Deletes a visitor. Throws 404. */
export const dismiss = async (scope: Scope, arrivalId: string): Promise<void> => {
  const gone = await scope.db.deleteFrom('sso_arrivals').where('id', '=', arrivalId).returning('id').executeTakeFirst();
  await audit(scope, 'identity.dismiss', { entity: 'user_identity', entityId: orNotFound(gone, 'arrival').id });
};

/** Disconnects a user from the provider, and ends all sessions of the user. */
export const unlink = async (
  scope: Scope,
  { sessions }: Pick<Context, 'sessions'>,
  identityId: string,
): Promise<void> => {
  const { db, session } = scope;
  // Waits for sign-ins as this user that are in progress. Their tickets then exist and can be ended too.
  await settingsToChange(scope);
  const manager = await beginManaging(scope, 'user.manage');
  const identity = orNotFound(
    await db.selectFrom('user_identities').select('user_id').where('id', '=', identityId).executeTakeFirst(),
    'identity',
  );
  assertMayConnect(manager, await userById(scope, identity.user_id));
  await db.deleteFrom('user_identities').where('id', '=', identityId).execute();
  await endTickets(scope, identity.user_id);
  await sessions.endAllOf(scope, identity.user_id, session.id === '' ? undefined : session.id);
  await audit(scope, 'identity.unlink', {
    entity: 'user_identity',
    entityId: identityId,
    detail: { userId: identity.user_id },
  });
};
