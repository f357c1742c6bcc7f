import type { Body } from '@radwork/contract/endpoint';
import type { sessions as endpoints, SignedIn } from '@radwork/contract/sessions';
import { audit } from '#core/audit.ts';
import type { Context } from '#core/context.ts';
import type { Visitor } from '#core/http.ts';
import { unauthenticated } from '#core/problem.ts';
import { type Scope, type Session, systemSession } from '#core/scope.ts';
import { noteLogin, verifyPassword } from './verify-password.ts';

type Parts = Pick<Context, 'scopes' | 'sessions'>;

/** Signs in with a name and a password. An unknown name, a wrong password and an ambiguous name get the same answer. */
export const login = async (
  { scopes, sessions }: Parts,
  form: Body<typeof endpoints.login>,
  { subdomain, ...device }: Visitor,
): Promise<SignedIn> => {
  const user = await verifyPassword(scopes, { ...form, subdomain, address: device.address });
  const token = await scopes.inTenant(systemSession(user.tenant_id), async ({ db }) => {
    await noteLogin(db, user);
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
