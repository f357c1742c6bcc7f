import { t } from '@radwork/contract/core/translate';
import { reauthenticationNeeded, recentSignInMinutes } from '@radwork/contract/reading/report-parts';
import { sql } from 'kysely';
import { audit } from '#core/audit/audit.ts';
import type { Context } from '#core/context.ts';
import { passwordMatches } from '#core/access/passwords.ts';
import { orNotFound, invalid, Problem } from '#core/http/problem.ts';
import type { Scope, Session } from '#core/access/scope.ts';
import { attemptAt, countedAttempt, WrongAttempt } from './sign-in-limits.ts';

/**
 * Returns the session as it is in the caller's own tenant. The account is in that tenant, even while the caller visits
 * another tenant.
 */
export const atHome = ({ homeTenantId, ...session }: Session): Session => ({
  ...session,
  tenantId: homeTenantId ?? session.tenantId,
});

/** Reads the row of the caller, and those settings of the caller's organization that apply to the caller. */
export const ownUser = async ({ db, session }: Scope) => {
  const user = await db
    .selectFrom('users')
    .innerJoin('tenants', 'tenants.id', 'users.tenant_id')
    .select(['users.id', 'username', 'users.name', 'email', 'user_type', 'password_hash', 'users.revision'])
    .select(['specialization', 'department', 'credentials', 'last_login_at'])
    .select(['tenants.name as organization', 'subdomain', 'locale', 'second_factor_policy'])
    .where('users.id', '=', session.userId)
    .executeTakeFirst();
  return orNotFound(user, 'user');
};

export type OwnUser = Awaited<ReturnType<typeof ownUser>>;

/**
 * Checks that the caller knows the password of the account. Throws 422 at `field` for a wrong password, and 429 after
 * too many. Wrong passwords count together with those at sign-in.
 */
export const assertOwnPassword = async (
  { scopes }: Pick<Context, 'scopes'>,
  session: Session,
  user: OwnUser,
  password: string,
  field = 'currentPassword',
): Promise<void> => {
  const note = (action: 'session.lock' | 'session.reauthenticate') =>
    scopes.inTenant(session, (scope) =>
      audit(scope, action, { entity: 'session', entityId: session.id, outcome: 'FAILURE' }),
    );
  await countedAttempt(scopes, attemptAt(user, session.address), {
    onTooMany: () => note('session.lock'),
    work: async () => {
      if (await passwordMatches(user.password_hash ?? undefined, password)) return;
      await note('session.reauthenticate');
      const { status, error, message, fields = {} } = invalid({ [field]: t`The password is wrong` });
      throw new WrongAttempt(status, error, message, { fields });
    },
  });
};

/**
 * Checks callers before they change how they sign in. A recent sign-in is enough for users without a password, and for
 * users who must still set up a second factor.
 */
export const assertOwner = async (
  context: Pick<Context, 'scopes'>,
  session: Session,
  user: OwnUser,
  password: string | undefined,
): Promise<void> => {
  if (password !== undefined) return assertOwnPassword(context, session, user, password);
  const mayLackIt = user.password_hash === null || session.secondFactor === 'NEEDED';
  if (mayLackIt && (await context.scopes.inTenant(session, isRecentlySignedIn))) return;
  if (user.password_hash !== null) throw invalid({ currentPassword: t`Enter your password` });
  throw new Problem(
    403,
    reauthenticationNeeded,
    t`You signed in more than ${recentSignInMinutes} minutes ago. Sign out, sign in again and retry.`,
  );
};

/** Returns whether the caller has signed in recently enough for a signature. */
export const isRecentlySignedIn = async ({ db, session }: Scope): Promise<boolean> => {
  const recent = await db
    .selectFrom('sessions')
    .select('id')
    .where('id', '=', session.id)
    .where('authenticated_at', '>', sql<string>`now() - make_interval(mins => ${recentSignInMinutes})`)
    .executeTakeFirst();
  return recent !== undefined;
};
