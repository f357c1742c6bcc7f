import { sql } from 'kysely';
import { audit } from '#core/audit.ts';
import type { Context } from '#core/context.ts';
import { conflict } from '#core/problem.ts';
import { type Scope, systemSession } from '#core/scope.ts';
import { findLogin } from '#features/sessions/verify-password.ts';
import { sendPasswordLink } from './send-password-link.ts';

type Parts = Pick<Context, 'config' | 'scopes' | 'vault'>;
type Asked = { username: string; subdomain: string | undefined; address: string };

/** Links in an hour that an account asks for itself: enough for whoever mistypes, too few to flood a mailbox. */
const linksPerHour = 3;

/**
 * Has a link sent to the address of an account, if there is such an account and it has a password. The caller is
 * answered before anything is looked up, so that neither the answer nor its time tells whether there is. `onError`
 * hears of what fails afterwards.
 */
export const forgotPassword = (context: Parts, asked: Asked, onError: (error: unknown) => void): void => {
  if (!context.config.mail) {
    throw conflict('mail.missing', 'This installation sends no mail. Ask your administrator for a link.');
  }
  setImmediate(() => void sendLink(context, asked).catch(onError));
};

const sendLink = async (context: Parts, asked: Asked): Promise<void> => {
  const user = await findLogin(context.scopes, asked);
  // Who signs in elsewhere has none to forget, and who was invited and never came is let in by an administrator.
  if (!user?.password_hash) return;
  const session = { ...systemSession(user.tenant_id, asked.address), username: asked.username };
  await context.scopes.inTenant(session, async (scope) => {
    // Of several that ask at once each counts.
    await scope.db.selectFrom('users').select('id').where('id', '=', user.user_id).forNoKeyUpdate().execute();
    if ((await askedLately(scope, user.user_id)) >= linksPerHour) return;
    await sendPasswordLink(scope, context, user.user_id, 'RESET');
    await audit(scope, 'password.forget', { entity: 'user', entityId: user.user_id });
  });
};

const askedLately = async ({ db }: Scope, userId: string): Promise<number> => {
  const { made } = await db
    .selectFrom('password_links')
    .select(({ fn }) => fn.countAll<number>().as('made'))
    .where('user_id', '=', userId)
    .where('created_by', 'is', null)
    .where('created_at', '>', sql<string>`now() - interval '1 hour'`)
    .executeTakeFirstOrThrow();
  return Number(made);
};
