import { reauthenticationNeeded, signInCountsFor } from '@radwork/contract/report-parts';
import { sql } from 'kysely';
import { audit } from '#core/audit.ts';
import { invalid, Problem } from '#core/problem.ts';
import type { Scope, Session } from '#core/scope.ts';
import { isRecentlySignedIn } from '#features/accounts/own-user.ts';
import { type Ways, useCode, WrongCode, wrongCode } from '#features/accounts/second-factor-code.ts';
import { verifyPassword } from '#features/sessions/verify-password.ts';
import { passwordsAreOff } from '#features/single-sign-on/password-rule.ts';

/**
 * Lets only those sign who have shown lately who they are: somebody else may sit at an open screen (C43, D-14). Throws
 * 403 where a password or a code of the second factor is needed and none came, 422 for a wrong one, 429 after too many
 * of those. A right one counts for the next signatures, too.
 */
export const assertKnownSigner = async (
  context: Ways,
  session: Session,
  { password, code }: { password?: string | undefined; code?: string | undefined },
): Promise<void> => {
  const { scopes } = context;
  if (await scopes.inTenant(session, isRecentlySignedIn)) return;
  if (code && session.secondFactor === 'SET') {
    await proveByCode(context, session, code);
    return scopes.inTenant(session, noteSignIn);
  }
  if (!password) {
    const what =
      session.secondFactor === 'SET' ? 'your password or the code of your authenticator app' : 'your password';
    throw new Problem(
      403,
      reauthenticationNeeded,
      `You signed in more than ${signInCountsFor} minutes ago: enter ${what} to sign`,
    );
  }
  const { username, subdomain, address } = session;
  await verifyPassword(scopes, { username, password, subdomain, address }).catch((error: unknown) => {
    if (!(error instanceof Problem) || error.status !== 401) throw error;
    // Not a 401, which would say that the session has ended.
    throw invalid({ password: error.error === passwordsAreOff ? error.message : 'The password is wrong' });
  });
  await scopes.inTenant(session, noteSignIn);
};

/** A code of the app and no recovery code: those are for when the app is lost. */
const proveByCode = async (context: Ways, session: Session, code: string): Promise<void> => {
  const { tenantId, homeTenantId = tenantId, userId, username, address } = session;
  const owner = { tenantId: homeTenantId, userId, username, address };
  await useCode(context, owner, code, { takesRecoveryCodes: false }).catch((error: unknown) => {
    throw error instanceof WrongCode ? invalid({ code: wrongCode }) : error;
  });
};

const noteSignIn = async (scope: Scope): Promise<void> => {
  const { db, session } = scope;
  await db
    .updateTable('sessions')
    .set({ authenticated_at: sql`now()` })
    .where('id', '=', session.id)
    .execute();
  await audit(scope, 'session.reauthenticate', { entity: 'session', entityId: session.id });
};
