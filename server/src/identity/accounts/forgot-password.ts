import { t } from '@radwork/contract/core/translate';
import { sql } from 'kysely';
import { audit } from '#core/audit/audit.ts';
import type { Context } from '#core/context.ts';
import { conflict } from '#core/http/problem.ts';
import { type Scope, systemSession } from '#core/access/scope.ts';
import { findLogin } from '#identity/credentials/verify-password.ts';
import { sendPasswordLink } from '#identity/credentials/send-password-link.ts';

type Parts = Pick<Context, 'config' | 'scopes' | 'vault'>;
type ResetRequest = { username: string; subdomain: string | undefined; address: string };

/**
 * Maximum number of links that may be requested for an account in one hour. Enough for typing errors, too few to flood
 * a mailbox.
 */
const linksPerHour = 3;

/**
 * Sends a link to the address of an account, if the account exists and has a password. Answers before the lookup, so
 * that neither the answer nor its time shows whether the account exists. `onError` receives later errors.
 */
export const forgotPassword = (context: Parts, request: ResetRequest, onError: (error: unknown) => void): void => {
  if (!context.config.mail) {
    throw conflict('mail.missing', t`This installation cannot send mail. Ask your administrator for a password link.`);
  }
  setImmediate(() => void sendLink(context, request).catch(onError));
};

const sendLink = async (context: Parts, request: ResetRequest): Promise<void> => {
  const user = await findLogin(context.scopes, request);
  // Users of single sign-on have no password, so they get no link. Invited users who never signed in need a new
  // invitation by an administrator.
  if (!user?.password_hash) return;
  const session = { ...systemSession(user.tenant_id, request.address), username: request.username };
  await context.scopes.inTenant(session, async (scope) => {
    // Locks the user, so that parallel requests wait for each other and every request counts.
    await scope.db.selectFrom('users').select('id').where('id', '=', user.user_id).forNoKeyUpdate().execute();
    if ((await recentLinks(scope, user.user_id)) >= linksPerHour) return;
    await sendPasswordLink(scope, context, user.user_id, 'RESET');
    await audit(scope, 'password.forget', { entity: 'user', entityId: user.user_id });
  });
};

const recentLinks = async ({ db }: Scope, userId: string): Promise<number> => {
  const { made } = await db
    .selectFrom('password_links')
    .select(({ fn }) => fn.countAll<number>().as('made'))
    .where('user_id', '=', userId)
    .where('created_by', 'is', null)
    .where('created_at', '>', sql<string>`now() - interval '1 hour'`)
    .executeTakeFirstOrThrow();
  return Number(made);
};
