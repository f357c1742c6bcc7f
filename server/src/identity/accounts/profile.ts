import { sentence, t } from '@radwork/contract/core/translate';
import type { Account, AccountForm } from '@radwork/contract/identity/accounts';
import { audit } from '#core/audit/audit.ts';
import type { Context } from '#core/context.ts';
import { conflict, invalid } from '#core/http/problem.ts';
import type { Scope, Session } from '#core/access/scope.ts';
import { placeHold } from '#identity/signing-holds/create-hold.ts';
import { assertOwner, assertOwnPassword, atHome, type OwnUser, ownUser } from '#identity/credentials/own-user.ts';
import { codesLeft } from '#identity/credentials/second-factor-code.ts';
import { endPasswordLinks } from '#identity/credentials/password-links.ts';
import { notifyOwner, type MailContext } from '#identity/credentials/notify-owner.ts';

type Parts = Pick<Context, 'config' | 'scopes' | 'sessions' | 'vault'>;

/** Returns the caller's own account. */
export const readAccount = ({ scopes }: Pick<Parts, 'scopes'>, caller: Session): Promise<Account> =>
  scopes.inTenant(atHome(caller), describe);

const describe = async (scope: Scope): Promise<Account> => {
  const { id, username, name, email, specialization, department, credentials, organization, ...user } =
    await ownUser(scope);
  const factor = await scope.db
    .selectFrom('second_factors')
    .select('confirmed_at')
    .where('user_id', '=', id)
    .where('confirmed_at', 'is not', null)
    .executeTakeFirst();
  const isAdministrator = user.user_type === 'SUPER_ADMIN' || user.user_type === 'ADMIN';
  const policy = user.second_factor_policy;
  return {
    id,
    username,
    name,
    email,
    specialization,
    department,
    credentials,
    organization,
    userType: user.user_type,
    roles: scope.session.roles.map((role) => role.name),
    revision: user.revision,
    lastLoginAt: user.last_login_at,
    hasPassword: user.password_hash !== null,
    secondFactor: {
      isSet: factor !== undefined,
      since: factor?.confirmed_at ?? null,
      recoveryCodesLeft: await codesLeft(scope, id),
      isRequired: policy === 'EVERYBODY' || (policy === 'ADMINISTRATORS' && isAdministrator),
    },
  };
};

/**
 * Changes the data that users may change of their own account. A new e-mail address needs the password, and the old
 * address is notified.
 */
export const saveAccount = async (context: Parts, caller: Session, form: AccountForm): Promise<Account> => {
  const session = atHome(caller);
  const { currentPassword, revision, ...profile } = form;
  const before = await context.scopes.inTenant(session, ownUser);
  const isNewAddress = profile.email.toLowerCase() !== before.email.toLowerCase();
  if (isNewAddress && before.password_hash !== null) {
    if (!currentPassword) throw invalid({ currentPassword: t`Enter your password to change your e-mail address` });
    await assertOwnPassword(context, session, before, currentPassword);
  } else if (isNewAddress) {
    await assertOwner(context, session, before, undefined);
  }
  return context.scopes.inTenant(session, async (scope) => {
    const saved = await scope.db
      .updateTable('users')
      .set(({ eb }) => ({ ...profile, revision: eb('revision', '+', 1) }))
      .where('id', '=', session.userId)
      .where('revision', '=', revision)
      .returning('id')
      .executeTakeFirst();
    if (!saved) {
      throw conflict('account.changed', t`Your account was changed in another session. Reload it before you save.`);
    }
    const changed = (['name', 'email', 'specialization', 'department', 'credentials'] as const).filter(
      (field) => profile[field] !== undefined && profile[field] !== before[field],
    );
    scope.afterCommit(() => context.sessions.forget());
    await audit(scope, 'user.update_own', {
      entity: 'user',
      entityId: session.userId,
      detail: { fields: changed.join() },
    });
    if (isNewAddress) {
      await endPasswordLinks(scope, session.userId);
      await notifyOwner(scope, context, session.userId, {
        title: sentence`Your e-mail address was changed`,
        message: sentence`Password links now go to the new address.`,
        alsoTo: [before.email],
      });
    }
    if (changed.includes('name')) await holdNewName(scope, context, before);
    return describe(scope);
  });
};

/**
 * Places a signing hold on the account after the user has changed the name, because signatures show it. A second user
 * must confirm the name.
 */
const holdNewName = (scope: Scope, context: MailContext, { id, email }: OwnUser): Promise<void> =>
  placeHold(scope, context, {
    userId: id,
    cause: 'NAME',
    addressBefore: email,
    title: sentence`You changed your name`,
    message: sentence`An administrator must confirm it.`,
  });
