import { sentence, t } from '@radwork/contract/core/translate';
import type { account as endpoints } from '@radwork/contract/identity/accounts';
import type { Body } from '@radwork/contract/core/endpoint';
import { audit } from '#core/audit/audit.ts';
import type { Context } from '#core/context.ts';
import { hashPassword } from '#core/access/passwords.ts';
import { conflict, forbidden, orNotFound, invalid } from '#core/http/problem.ts';
import type { Scope, Session } from '#core/access/scope.ts';
import { assertOwnPassword, atHome, ownUser } from '#identity/credentials/own-user.ts';
import { endPasswordLinks } from '#identity/credentials/password-links.ts';
import { assertPasswordAllowed } from '#identity/credentials/password-rules.ts';
import { notifyOwner } from '#identity/credentials/notify-owner.ts';

type Parts = Pick<Context, 'config' | 'scopes' | 'sessions' | 'vault'>;

/** Changes the caller's own password; the caller must enter the current one. Ends all other sessions of the caller. */
export const changePassword = async (
  context: Parts,
  caller: Session,
  userId: string,
  { currentPassword, newPassword }: Body<typeof endpoints.changePassword>,
): Promise<void> => {
  const session = atHome(caller);
  if (userId !== caller.userId) {
    await context.scopes.inTenant(caller, (scope) => assertExists(scope, userId));
    throw forbidden(t`You can change your own password only. Send the user a password link instead.`);
  }
  const user = await context.scopes.inTenant(session, ownUser);
  await assertOwnPassword(context, session, user, currentPassword);
  if (newPassword === currentPassword) throw invalid({ newPassword: t`This is your current password` });
  await assertPasswordAllowed(newPassword, { ...user, tenantName: user.organization }, context.config, 'newPassword');
  const passwordHash = await hashPassword(newPassword);
  await context.scopes.inTenant(session, async (scope) => {
    const changed = await scope.db
      .updateTable('users')
      .set({ password_hash: passwordHash })
      .where('id', '=', session.userId)
      .where('password_hash', 'is not distinct from', user.password_hash)
      .executeTakeFirst();
    if (changed.numUpdatedRows === 0n) {
      throw conflict(
        'account.changed',
        t`Your password was changed in another session. Sign in with the new password.`,
      );
    }
    await endPasswordLinks(scope, session.userId);
    const ended = await context.sessions.endAllOf(scope, session.userId, session.id);
    await audit(scope, 'password.change', { entity: 'user', entityId: session.userId, detail: { ended } });
    await notifyOwner(scope, context, session.userId, {
      title: sentence`Your password was changed`,
      message: sentence`Your other sessions were signed out.`,
    });
  });
};

const assertExists = async ({ db }: Scope, id: string) =>
  orNotFound(await db.selectFrom('users').select('id').where('id', '=', id).executeTakeFirst(), 'user');
