import { sentence } from '@radwork/contract/core/translate';
import type { SsoFailure } from '@radwork/contract/identity/single-sign-on-failures';
import type { UserType } from '@radwork/contract/core/access';
import { isServersName } from '@radwork/contract/identity/users';
import { sql } from 'kysely';
import { announce } from '#core/live/announce.ts';
import { audit } from '#core/audit/audit.ts';
import { newId } from '#core/values/ids.ts';
import type { Scope } from '#core/access/scope.ts';
import type { MailContext } from '#identity/credentials/notify-owner.ts';
import { placeHold } from '#identity/signing-holds/create-hold.ts';
import { createUser } from '#identity/user-records/create-user.ts';
import type { Claims } from './claims.ts';
import { administers, isLastAdministrator, renewRights, rightsOf, rolesFor } from './rights.ts';
import { settingsToChange, type StoredSettings } from './stored-settings.ts';

/** The user of a sign-in, or the reason why it was refused. */
export type IdentifiedUser = { userId: string } | { failure: SsoFailure };

type KnownIdentity = {
  identityId: string;
  userId: string;
  userType: UserType;
  isActive: boolean;
  email: string;
  lastUsedAt: string | null;
};

/**
 * Finds the user by issuer and subject of the provider, and renews the user's rights. If new users are allowed, creates
 * a missing user. Never matches by name or e-mail address, because the provider may later give these to another person.
 * `revision` is that of the settings when the sign-in began.
 */
export const identifyUser = async (
  scope: Scope,
  context: MailContext,
  claims: Claims,
  revision: number,
): Promise<IdentifiedUser> => {
  // Locks, so that two sign-ins of the same user wait for each other.
  const settings = await settingsToChange(scope);
  if (!settings?.is_on || settings.revision !== revision) return { failure: 'not_known' };
  const known = await findKnown(scope, claims);
  return known ? letIn(scope, context, settings, claims, known) : welcome(scope, context, settings, claims);
};

/** Finds the user of a repeated sign-in. Creates no user and changes no rights. */
export const recognise = async (scope: Scope, claims: Claims): Promise<IdentifiedUser> => {
  const known = await findKnown(scope, claims);
  if (!known) return { failure: 'other_person' };
  return known.isActive ? { userId: known.userId } : { failure: 'inactive' };
};

const findKnown = ({ db }: Scope, { issuer, subject }: Claims): Promise<KnownIdentity | undefined> =>
  db
    .selectFrom('user_identities')
    .innerJoin('users', 'users.id', 'user_identities.user_id')
    .select(['user_identities.id as identityId', 'users.id as userId'])
    .select(['user_type as userType', 'is_active as isActive', 'email', 'last_used_at as lastUsedAt'])
    .where('issuer', '=', issuer)
    .where('subject', '=', subject)
    .executeTakeFirst();

const letIn = async (
  scope: Scope,
  context: MailContext,
  settings: StoredSettings,
  claims: Claims,
  known: KnownIdentity,
): Promise<IdentifiedUser> => {
  if (!known.isActive) return { failure: 'inactive' };
  // Refuses super administrators. An administrator of a tenant configures its provider, and must not become a super
  // administrator through this provider.
  if (known.userType === 'SUPER_ADMIN') return { failure: 'operator' };
  if (isDecidedByGroups(settings, known) && !(await renew(scope, context, settings, claims, known))) {
    return { failure: 'no_group' };
  }
  await scope.db
    .updateTable('user_identities')
    .set({ last_used_at: sql`now()` })
    .where('id', '=', known.identityId)
    .execute();
  return { userId: known.userId };
};

/**
 * Whether groups decide the rights of a user. Administrators get their rights from another user, unless the tenant
 * allows groups to give them.
 */
const isDecidedByGroups = (settings: StoredSettings, { userType }: KnownIdentity): boolean =>
  settings.groups_claim !== '' && userType !== 'PATIENT' && (userType !== 'ADMIN' || settings.is_admin_by_claim);

/**
 * Renews the rights of a user by the groups. Returns whether the user still has any rights. The last administrator
 * keeps all rights.
 */
const renew = async (
  scope: Scope,
  context: MailContext,
  settings: StoredSettings,
  { groups }: Claims,
  { userId, userType: from, email, lastUsedAt }: KnownIdentity,
): Promise<boolean> => {
  const rights = rightsOf(settings, groups);
  const roleIds = rights && (await rolesFor(scope, rights, settings.is_admin_by_claim));
  const stays = rights && roleIds && (await administers(scope, { ...rights, roleIds }));
  if (from === 'ADMIN' && !stays && (await isLastAdministrator(scope, userId))) {
    const detail = { how: 'single sign-on', to: rights?.userType ?? 'nobody' };
    await audit(scope, 'user.keep_last_administrator', {
      entity: 'user',
      entityId: userId,
      outcome: 'FAILURE',
      detail,
    });
    return true;
  }
  if (!rights || !roleIds) return false;
  const isSigner = await renewRights(scope, { userId, from, userType: rights.userType, roleIds });
  if (isSigner && isChosenSince(settings, lastUsedAt)) await holdForRights(scope, context, settings, { userId, email });
  return true;
};

/**
 * Returns whether an administrator has chosen the rights of groups since the user's last sign-in. If not, the provider
 * has put the user into other groups.
 */
const isChosenSince = ({ rights_set_at }: StoredSettings, lastUsedAt: string | null): boolean =>
  rights_set_at !== null && (lastUsedAt === null || Date.parse(rights_set_at) > Date.parse(lastUsedAt));

const holdForRights = (
  scope: Scope,
  context: MailContext,
  { rights_set_by, rights_set_by_name }: StoredSettings,
  { userId, email }: Pick<KnownIdentity, 'userId' | 'email'>,
): Promise<void> =>
  placeHold(scope, context, {
    userId,
    cause: 'RIGHTS',
    addressBefore: email,
    title: sentence`An administrator gave you permission to sign`,
    message: sentence`Your single sign-on groups give it.`,
    by: { id: rights_set_by, name: rights_set_by_name },
  });

const welcome = async (
  scope: Scope,
  context: MailContext,
  settings: StoredSettings,
  claims: Claims,
): Promise<IdentifiedUser> => {
  const namesake = await scope.db
    .selectFrom('users')
    .select('id')
    .where((on) => on.fn<string>('lower', ['username']), '=', claims.username.toLowerCase())
    .executeTakeFirst();
  const isTaken = namesake !== undefined || isServersName(claims.username);
  if (isTaken || !settings.is_enrolling) {
    await noteArrival(scope, claims);
    return { failure: isTaken ? 'not_linked' : 'unknown' };
  }
  const rights = rightsOf(settings, claims.groups);
  const roleIds = rights && (await rolesFor(scope, rights, settings.is_admin_by_claim));
  if (!rights || !roleIds) return { failure: 'no_group' };
  const userId = await enrol(scope, claims, { userType: rights.userType, roleIds });
  await placeHold(scope, context, {
    userId,
    cause: 'SINGLE_SIGN_ON',
    // The address also comes from the provider, so it proves nothing.
    addressBefore: '',
    title: sentence`Your account is new`,
    message: sentence`An administrator must confirm that it is yours.`,
    by: { id: settings.provider_set_by, name: settings.provider_set_by_name || 'Single sign-on' },
  });
  return { userId };
};

const enrol = async (scope: Scope, claims: Claims, rights: { userType: UserType; roleIds: string[] }) => {
  const { issuer, subject, username, name, email } = claims;
  const { userType, roleIds } = rights;
  const userId = await createUser(scope, { username, name, email, userType, passwordHash: null });
  await scope.db.deleteFrom('user_roles').where('user_id', '=', userId).execute();
  await scope.db
    .insertInto('user_roles')
    .values(roleIds.map((role_id) => ({ user_id: userId, role_id })))
    .execute();
  await scope.db
    .insertInto('user_identities')
    .values({ id: newId(), issuer, subject, user_id: userId, last_used_at: sql`now()` })
    .execute();
  await audit(scope, 'user.create', {
    entity: 'user',
    entityId: userId,
    detail: { how: 'single sign-on', userType, roles: roleIds.join(' ') },
  });
  await announce(scope, { kind: 'users' });
  return userId;
};

/**
 * Stores for 30 days that a user of the provider tried to sign in. Within this time, an administrator can connect this
 * visitor with a user.
 */
const noteArrival = async ({ db }: Scope, { issuer, subject, username, name, email }: Claims): Promise<void> => {
  await db
    .deleteFrom('sso_arrivals')
    .where('last_at', '<', sql<string>`now() - interval '30 days'`)
    .execute();
  await db
    .insertInto('sso_arrivals')
    .values({ id: newId(), issuer, subject, username, name, email })
    .onConflict((known) =>
      known.columns(['tenant_id', 'issuer', 'subject']).doUpdateSet({ username, name, email, last_at: sql`now()` }),
    )
    .execute();
};
