import type { Body } from '@radwork/contract/endpoint';
import type { sessions as endpoints, SignedIn } from '@radwork/contract/sessions';
import { sql } from 'kysely';
import { audit } from '#core/audit.ts';
import type { Context } from '#core/context.ts';
import type { Visitor } from '#core/http.ts';
import { passwordMatches } from '#core/passwords.ts';
import { unauthenticated } from '#core/problem.ts';
import { type Scope, type Session, systemSession } from '#core/scope.ts';
import { accountOf, assertMayTry, type Attempt, forgive, inTurn, noteFailure } from './login-brake.ts';

type Parts = Pick<Context, 'scopes' | 'sessions'>;
type Login = { tenant_id: number; user_id: string; password_hash: string };

/** Signs in with a name and a password. An unknown name, a wrong password and an ambiguous name get the same answer. */
export const login = (parts: Parts, form: Body<typeof endpoints.login>, visitor: Visitor): Promise<SignedIn> => {
  const attempt = { account: accountOf(visitor.subdomain, form.username), address: visitor.address };
  return inTurn(attempt, () => tryToSignIn(parts, form, visitor, attempt));
};

const tryToSignIn = async (
  { scopes, sessions }: Parts,
  { username, password }: Body<typeof endpoints.login>,
  { subdomain, ...device }: Visitor,
  attempt: Attempt,
): Promise<SignedIn> => {
  await assertMayTry(scopes, attempt);
  const { rows } = await scopes.withoutTenant((db) =>
    sql<Login>`select * from find_login(${subdomain ?? null}, ${username})`.execute(db),
  );
  // Without a tenant the name must be one person's only; guessing which is meant could open the wrong tenant.
  const user = rows.length === 1 ? rows[0] : undefined;
  if (!(await passwordMatches(user?.password_hash, password)) || !user) {
    await noteFailure(scopes, attempt);
    if (user) await noteRefusal(scopes, user, username, device.address);
    throw unauthenticated('Invalid username or password');
  }
  await forgive(scopes, attempt);
  const token = await scopes.inTenant(systemSession(user.tenant_id), async ({ db }) => {
    await db
      .updateTable('users')
      .set({ last_login_at: sql`now()` })
      .where('id', '=', user.user_id)
      .execute();
    return sessions.begin(db, user.user_id, device);
  });
  const session = await sessions.resolve(token, device.address, false);
  if (session) {
    await scopes.inTenant(session, (scope) =>
      audit(scope, 'session.begin', { entity: 'session', entityId: session.id }),
    );
  }
  return describe(token, session);
};

/** What a browser that kept its token may go on with; the same refusal for every reason. */
export const validate = async (
  { sessions }: Parts,
  { token, username }: Body<typeof endpoints.validate>,
  { address }: Visitor,
): Promise<SignedIn> => {
  const session = await sessions.resolve(token, address, false);
  if (username && session?.username.toLowerCase() !== username.toLowerCase()) throw unauthenticated();
  return describe(token, session);
};

export const logout = async ({ sessions }: Parts, scope: Scope): Promise<void> => {
  await audit(scope, 'session.end', { entity: 'session', entityId: scope.session.id });
  scope.afterCommit(() => sessions.forget());
  await sessions.end(scope);
};

const describe = (token: string, session: Session | undefined): SignedIn => {
  if (!session) throw unauthenticated();
  const { userId, username, name, email, userType, tenantName, subdomain, roles } = session;
  return {
    token,
    user: { id: userId, username, name, email, userType },
    tenant: { name: tenantName, subdomain },
    roles: roles.map((role) => ({
      name: role.name,
      permissions: role.permissions.map((permission) => ({ name: permission })),
    })),
  };
};

/** Whoever it was is not that user: the entry has the name that was tried and says whose account it was. */
const noteRefusal = (scopes: Parts['scopes'], user: Login, username: string, address: string) =>
  scopes.inTenant({ ...systemSession(user.tenant_id, address), username }, (scope) =>
    audit(scope, 'session.refuse', { entity: 'session', outcome: 'FAILURE', detail: { userId: user.user_id } }),
  );
