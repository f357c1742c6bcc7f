import { ssoFailures } from '@radwork/contract/identity/single-sign-on-failures';
import type { SignedIn } from '@radwork/contract/identity/sessions';
import { audit } from '#core/audit/audit.ts';
import type { Context } from '#core/context.ts';
import type { Visitor } from '#core/http/http.ts';
import { Problem } from '#core/http/problem.ts';
import { describe } from '#identity/sessions/service.ts';
import type { Keys } from '#identity/sessions/text-key.ts';
import { auditLogin } from '#identity/credentials/verify-password.ts';
import { subdomainIn, redeemTicket } from './attempts.ts';
import { auditRefusal } from './note-refusal.ts';
import { SsoRefusal } from './sso-refusal.ts';
import { findTenant, visitorSession } from './tenant.ts';

type Parts = Keys & Pick<Context, 'sessions'>;

const problemOf = ({ failure }: SsoRefusal) => new Problem(401, `sso.${failure}`, ssoFailures[failure]());

/**
 * Begins the session for a ticket. Throws 401 with a message if the ticket was used, is too old, or belongs to another
 * browser.
 */
export const exchange = async (parts: Parts, ticket: string, visitor: Visitor): Promise<SignedIn> => {
  const { scopes, sessions } = parts;
  const { address, userAgent, cookies } = visitor;
  const tenant = await findTenant(scopes, subdomainIn(ticket));
  if (!tenant) throw problemOf(new SsoRefusal('not_known'));
  const begin = scopes.inTenant(visitorSession(tenant, address), async (scope) => {
    const { user_id, authenticated_at } = await redeemTicket(scope, ticket, { cookies });
    await auditLogin(scope.db, { user_id });
    return sessions.begin(
      scope.db,
      user_id,
      { address, userAgent },
      { isSingleSignOn: true, shownAt: authenticated_at },
    );
  });
  const token = await begin.catch(async (error: unknown) => {
    if (!(error instanceof SsoRefusal)) throw error;
    // An unknown ticket is not audited, because it belongs to no user.
    if (error.failure !== 'not_known') await auditRefusal(parts, { tenant, address, failure: error.failure });
    throw problemOf(error);
  });
  const session = await sessions.resolve(token, address, false);
  if (session) {
    await scopes.inTenant(session, (scope) =>
      audit(scope, 'session.begin', { entity: 'session', entityId: session.id, detail: { how: 'single sign-on' } }),
    );
  }
  return describe(parts, token, session);
};
