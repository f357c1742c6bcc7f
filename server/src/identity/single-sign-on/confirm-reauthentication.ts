import { ssoFailures } from '@radwork/contract/identity/single-sign-on-failures';
import { audit } from '#core/audit/audit.ts';
import { conflict } from '#core/http/problem.ts';
import type { Scope } from '#core/access/scope.ts';
import { redeemTicket } from './attempts.ts';
import { SsoRefusal } from './sso-refusal.ts';

/**
 * Stores that the signed-in user has just signed in at the provider, as the ticket proves. Throws 409 with a message
 * for a ticket that was used, is too old, or belongs to another user. A 401 would mean that the session has ended.
 */
export const confirm = async (scope: Scope, ticket: string): Promise<void> => {
  const { db, session } = scope;
  const { user_id, authenticated_at } = await redeemTicket(scope, ticket, { isAgain: true }).catch((error: unknown) => {
    throw error instanceof SsoRefusal ? problemOf(error) : error;
  });
  if (user_id !== session.userId) throw problemOf(new SsoRefusal('other_person'));
  if (authenticated_at === null) throw problemOf(new SsoRefusal('not_again'));
  await db
    .updateTable('sessions')
    .set({ authenticated_at, provider_shown_at: authenticated_at })
    .where('id', '=', session.id)
    .execute();
  await audit(scope, 'session.reauthenticate', {
    entity: 'session',
    entityId: session.id,
    detail: { how: 'single sign-on' },
  });
};

const problemOf = ({ failure }: SsoRefusal) => conflict(`sso.${failure}`, ssoFailures[failure]());
