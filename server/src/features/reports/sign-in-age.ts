import { reauthenticationNeeded, signInCountsFor } from '@radwork/contract/report-parts';
import { sql } from 'kysely';
import { audit } from '#core/audit.ts';
import type { Context } from '#core/context.ts';
import { invalid, Problem } from '#core/problem.ts';
import type { Scope, Session } from '#core/scope.ts';
import { verifyPassword } from '#features/sessions/verify-password.ts';

/**
 * Lets only those sign who have shown lately who they are: somebody else may sit at an open screen (C43, D-14). Throws
 * 403 where a password is needed and none came, 422 for a wrong one, 429 after too many of those. A right one counts
 * for the next signatures, too.
 */
export const assertKnownSigner = async (
  { scopes }: Pick<Context, 'scopes'>,
  session: Session,
  password: string | undefined,
): Promise<void> => {
  if (await scopes.inTenant(session, isRecentlySignedIn)) return;
  if (!password) {
    throw new Problem(
      403,
      reauthenticationNeeded,
      `You signed in more than ${signInCountsFor} minutes ago: enter your password to sign`,
    );
  }
  const { username, subdomain, address } = session;
  await verifyPassword(scopes, { username, password, subdomain, address }).catch((error: unknown) => {
    // Not a 401, which would say that the session has ended.
    throw error instanceof Problem && error.status === 401 ? invalid({ password: 'The password is wrong' }) : error;
  });
  await scopes.inTenant(session, noteSignIn);
};

const isRecentlySignedIn = async ({ db, session }: Scope): Promise<boolean> => {
  const recent = await db
    .selectFrom('sessions')
    .select('id')
    .where('id', '=', session.id)
    .where('authenticated_at', '>', sql<string>`now() - make_interval(mins => ${signInCountsFor})`)
    .executeTakeFirst();
  return recent !== undefined;
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
