import { sentence, t } from '@radwork/contract/core/translate';
import { randomBytes } from 'node:crypto';
import type { account as endpoints } from '@radwork/contract/identity/accounts';
import type { Body, Reply } from '@radwork/contract/core/endpoint';
import { refuseManaging } from '@radwork/contract/identity/user-rights';
import { sql } from 'kysely';
import { audit } from '#core/audit/audit.ts';
import type { Context } from '#core/context.ts';
import { conflict, invalid, notFound } from '#core/http/problem.ts';
import type { Scope, Session } from '#core/access/scope.ts';
import { assertNot, beginManaging, toManaged } from '#identity/user-records/assert-manageable.ts';
import { userById } from '#identity/user-records/user-rows.ts';
import { placeHold } from '#identity/signing-holds/create-hold.ts';
import { assertOwner, atHome, type OwnUser, ownUser } from '#identity/credentials/own-user.ts';
import { hashOfRecoveryCode, newRecoveryCodes } from '#identity/credentials/recovery-codes.ts';
import { sealedKeyColumn, useCode, WrongCode, wrongCode } from '#identity/credentials/second-factor-code.ts';
import { notifyOwner } from '#identity/credentials/notify-owner.ts';
import { newKey, stepOf, uriOf } from '#identity/credentials/totp.ts';

type Parts = Pick<Context, 'config' | 'scopes' | 'sessions' | 'vault'>;

const alreadySet = () =>
  conflict('second_factor.set', t`You already have a second factor. Turn it off before you set up another.`);

/** Creates a key for an authenticator app. Replaces a key that was not confirmed. */
export const beginSecondFactor = async (
  { scopes, vault }: Parts,
  caller: Session,
  { currentPassword }: Body<typeof endpoints.beginSecondFactor>,
): Promise<Reply<typeof endpoints.beginSecondFactor>> => {
  const session = atHome(caller);
  const user = await scopes.inTenant(session, ownUser);
  await assertOwner({ scopes }, session, user, currentPassword);
  const key = newKey();
  const fresh = {
    sealed_key: vault.seal(key, sealedKeyColumn(session.tenantId, user.id)),
    recovery_salt: randomBytes(16),
    created_at: sql<string>`now()`,
  };
  const stored = await scopes.inTenant(session, ({ db }) =>
    db
      .insertInto('second_factors')
      .values({ ...fresh, user_id: user.id })
      .onConflict((known) =>
        known.columns(['tenant_id', 'user_id']).doUpdateSet(fresh).where('second_factors.confirmed_at', 'is', null),
      )
      .returning('user_id')
      .executeTakeFirst(),
  );
  if (!stored) throw alreadySet();
  return { key, uri: uriOf(key, `${user.username} (${user.organization})`) };
};

/** Turns the second factor on with its first code. Returns the recovery codes, which cannot be read again. */
export const confirmSecondFactor = async (
  context: Parts,
  caller: Session,
  { code }: Body<typeof endpoints.confirmSecondFactor>,
): Promise<Reply<typeof endpoints.confirmSecondFactor>> => {
  const session = atHome(caller);
  return context.scopes.inTenant(session, async (scope) => {
    const { db } = scope;
    const factor = await db
      .selectFrom('second_factors')
      .select(['sealed_key', 'confirmed_at', 'recovery_salt'])
      .where('user_id', '=', session.userId)
      .forUpdate()
      .executeTakeFirst();
    if (!factor) throw notFound('second factor');
    if (factor.confirmed_at) throw alreadySet();
    const key = context.vault.open(factor.sealed_key, sealedKeyColumn(session.tenantId, session.userId));
    const step = stepOf(key, code.replaceAll(/\s/g, ''));
    if (step === undefined) {
      throw invalid({
        code: t`The code is wrong. Enter the current code and check the clock of your phone.`,
      });
    }
    await db
      .updateTable('second_factors')
      .set({ confirmed_at: sql`now()`, last_step: step })
      .where('user_id', '=', session.userId)
      .execute();
    scope.afterCommit(() => context.sessions.forget());
    await audit(scope, 'second_factor.enrol', { entity: 'user', entityId: session.userId });
    await notifyOwner(scope, context, session.userId, {
      title: sentence`A second factor was set up`,
      message: sentence`Sign-in with your password now also asks for a code.`,
    });
    return { recoveryCodes: await replaceRecoveryCodes(scope, factor.recovery_salt) };
  });
};

const replaceRecoveryCodes = async ({ db, session }: Scope, salt: Buffer): Promise<string[]> => {
  const codes = newRecoveryCodes();
  const hashes = await Promise.all(codes.map((code) => hashOfRecoveryCode(code, salt)));
  await db.deleteFrom('recovery_codes').where('user_id', '=', session.userId).execute();
  await db
    .insertInto('recovery_codes')
    .values(hashes.map((code_hash) => ({ user_id: session.userId, code_hash })))
    .execute();
  return codes;
};

type PasswordAndCode = Body<typeof endpoints.removeSecondFactor>;

/** Checks both password and code before the second factor is changed, because a thief may know the password. */
const assertBoth = async (
  context: Parts,
  session: Session,
  user: OwnUser,
  { currentPassword, code }: PasswordAndCode,
): Promise<void> => {
  await assertOwner(context, session, user, currentPassword);
  const owner = { tenantId: session.tenantId, userId: user.id, username: user.username, address: session.address };
  await useCode(context, owner, code).catch((error: unknown) => {
    // Throws 422 and not 401, because a 401 would mean that the session has ended.
    throw error instanceof WrongCode ? invalid({ code: wrongCode() }) : error;
  });
};

/**
 * Turns the second factor off. If the organization requires a second factor, the user must set up another one at once.
 */
export const removeSecondFactor = async (context: Parts, caller: Session, both: PasswordAndCode): Promise<void> => {
  const session = atHome(caller);
  const user = await context.scopes.inTenant(session, ownUser);
  await assertBoth(context, session, user, both);
  await context.scopes.inTenant(session, async (scope) => {
    await scope.db.deleteFrom('second_factors').where('user_id', '=', user.id).execute();
    scope.afterCommit(() => context.sessions.forget());
    await audit(scope, 'second_factor.remove', { entity: 'user', entityId: user.id });
    await notifyOwner(scope, context, user.id, {
      title: sentence`Your second factor was turned off`,
      message: sentence`Your account is now protected by your password only.`,
    });
  });
};

/** Creates ten new recovery codes. The earlier codes stop working. */
export const renewRecoveryCodes = async (
  context: Parts,
  caller: Session,
  both: PasswordAndCode,
): Promise<Reply<typeof endpoints.renewRecoveryCodes>> => {
  const session = atHome(caller);
  const user = await context.scopes.inTenant(session, ownUser);
  await assertBoth(context, session, user, both);
  return context.scopes.inTenant(session, async (scope) => {
    const factor = await scope.db
      .selectFrom('second_factors')
      .select('recovery_salt')
      .where('user_id', '=', user.id)
      .where('confirmed_at', 'is not', null)
      .forUpdate()
      .executeTakeFirst();
    if (!factor) throw notFound('second factor');
    await audit(scope, 'second_factor.renew_codes', { entity: 'user', entityId: user.id });
    await notifyOwner(scope, context, user.id, {
      title: sentence`New recovery codes were created`,
      message: sentence`Your previous recovery codes no longer work.`,
    });
    return { recoveryCodes: await replaceRecoveryCodes(scope, factor.recovery_salt) };
  });
};

/**
 * Removes the second factor of another user who has lost it. Users turn off their own second factor with password and
 * code.
 */
export const resetSecondFactor = async (context: Parts, scope: Scope, userId: string): Promise<void> => {
  const { db, session } = scope;
  const manager = await beginManaging(scope, 'user.manage');
  const user = await userById(scope, userId);
  if (user.id === session.userId)
    throw conflict('second_factor.own', t`Turn off your own second factor under My account`);
  assertNot(refuseManaging(manager, toManaged(user)));
  const removed = await db.deleteFrom('second_factors').where('user_id', '=', userId).executeTakeFirst();
  if (removed.numDeletedRows === 0n) throw conflict('second_factor.none', t`This user has no second factor`);
  scope.afterCommit(() => context.sessions.forget());
  await audit(scope, 'second_factor.reset', { entity: 'user', entityId: userId });
  await placeHold(scope, context, {
    userId,
    cause: 'SECOND_FACTOR',
    addressBefore: user.email,
    title: sentence`An administrator reset your second factor`,
    message: sentence`Your account is now protected by your password only. Set up a new second factor soon.`,
  });
};
