import { t } from '@radwork/contract/core/translate';
import { secondFactorRequired } from '@radwork/contract/identity/accounts';
import type { Body } from '@radwork/contract/core/endpoint';
import type { sessions as endpoints, SignedIn } from '@radwork/contract/identity/sessions';
import { audit } from '#core/audit/audit.ts';
import type { Context } from '#core/context.ts';
import type { Visitor } from '#core/http/http.ts';
import { SessionEnded, unauthenticated } from '#core/http/problem.ts';
import { type Scope, type Session, systemSession } from '#core/access/scope.ts';
import { atHome } from '#identity/credentials/own-user.ts';
import { type CodeContext, useCode } from '#identity/credentials/second-factor-code.ts';
import { openHolds } from '#identity/signing-holds/stored-holds.ts';
import { liftBySignIn } from '#identity/signing-holds/end-hold.ts';
import { type Keys, textKeyOf } from './text-key.ts';
import { type Login, auditLogin, verifyPassword } from '#identity/credentials/verify-password.ts';

type Parts = Keys & Pick<Context, 'sessions'>;

/**
 * Signs in with name and password, and a code if the account has a second factor. Unknown name, wrong password and
 * ambiguous name get the same answer, with and without a second factor.
 */
export const login = async (
  context: Parts & CodeContext,
  form: Body<typeof endpoints.login>,
  { subdomain, ...device }: Visitor,
): Promise<SignedIn> => {
  const { scopes, sessions } = context;
  const { code, ...credentials } = form;
  const account = { ...credentials, subdomain, address: device.address };
  const user = await verifyPassword(scopes, account, (known) => askCode(context, known, account, code));
  const token = await scopes.inTenant(systemSession(user.tenant_id, device.address), async (scope) => {
    await auditLogin(scope.db, user);
    if (user.second_factor === 'SET' && isCodeOfApp(code)) await liftBySignIn(scope, context, user.user_id);
    return sessions.begin(scope.db, user.user_id, device);
  });
  const session = await sessions.resolve(token, device.address, false);
  if (session) {
    await scopes.inTenant(session, (scope) =>
      audit(scope, 'session.begin', { entity: 'session', entityId: session.id }),
    );
  }
  return describe(context, token, session);
};

/**
 * Whether the text can be a code of the authenticator app. Recovery codes are refused, because they are only for a lost
 * app.
 */
const isCodeOfApp = (code = ''): boolean => /^\d{6}$/.test(code.replaceAll(/\s/g, ''));

/** Asks for the second factor if the account has one. */
const askCode = async (
  context: CodeContext,
  { tenant_id, user_id, second_factor }: Login,
  { username, address }: { username: string; address: string },
  code: string | undefined,
): Promise<void> => {
  if (second_factor !== 'SET') return;
  if (!code) throw unauthenticated(t`Enter the code from your authenticator app`, secondFactorRequired);
  await useCode(context, { tenantId: tenant_id, userId: user_id, username, address }, code);
};

/** Validates a token that a browser has stored. Every refusal has the same answer. */
export const validate = async (
  context: Parts,
  { token, username }: Body<typeof endpoints.validate>,
  { address, isPoll }: Visitor,
): Promise<SignedIn> => {
  const session = await context.sessions.resolve(token, address, isPoll);
  if (!session) throw new SessionEnded(await context.sessions.whyEnded(token));
  if (username && session.username.toLowerCase() !== username.toLowerCase()) throw new SessionEnded();
  return describe(context, token, session);
};

export const logout = async ({ sessions }: Pick<Context, 'sessions'>, scope: Scope): Promise<void> => {
  await audit(scope, 'session.end', { entity: 'session', entityId: scope.session.id });
  scope.afterCommit(() => sessions.forget());
  await sessions.end(scope);
};

/** Returns the data about a new or current session that the browser needs. Throws 401 without a session. */
export const describe = async (keys: Keys, token: string, session: Session | undefined): Promise<SignedIn> => {
  if (!session) throw unauthenticated();
  const textKey = await textKeyOf(keys, session);
  const holds = await keys.scopes.inTenant(atHome(session), (scope) => openHolds(scope, session.userId));
  const { userId, username, name, email, userType, tenantName, subdomain, roles, secondFactor } = session;
  return {
    token,
    ...(textKey && { textKey }),
    user: {
      id: userId,
      username,
      name,
      email,
      userType,
      ...(secondFactor && { secondFactor }),
      ...(holds.length > 0 && { isHeld: true }),
    },
    tenant: { name: tenantName, subdomain },
    roles: roles.map((role) => ({
      name: role.name,
      permissions: role.permissions.map((permission) => ({ name: permission })),
    })),
  };
};
