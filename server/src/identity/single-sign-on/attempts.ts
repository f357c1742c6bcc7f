import { randomBytes, timingSafeEqual } from 'node:crypto';
import { type Selectable, sql } from 'kysely';
import { newId } from '#core/values/ids.ts';
import type { SsoAttempts } from '#core/database/schema.ts';
import type { Scope } from '#core/access/scope.ts';
import { hashOfToken } from '#core/access/sessions.ts';
import type { Vault } from '#core/installation/vault.ts';
import type { Cookies } from '#core/http/http.ts';
import type { SignInTarget } from './addresses.ts';
import { SsoRefusal } from './sso-refusal.ts';

export type Attempt = Selectable<SsoAttempts>;
export type Secrets = { nonce: string; verifier: string };

/** Minutes that a sign-in at the provider may take, and seconds within which its ticket must be used. */
export const attemptMinutes = 10;
const ticketSeconds = 60;

const random = (): string => randomBytes(32).toString('base64url');

/** Returns a token: the subdomain of the tenant and 256 random bits. The token is looked up only in that tenant. */
const prefixed = (subdomain: string): string => `${subdomain}.${random()}`;

/** Returns the subdomain in a token. Undefined if the text cannot be a token. */
export const subdomainIn = (token: string): string | undefined => /^([a-z0-9-]{1,63})\.[\w-]{43}$/.exec(token)?.[1];

/** Returns the name of the cookie for one sign-in, so that parallel sign-ins in a browser are not mixed. */
export const cookieOf = ({ id }: Pick<Attempt, 'id'>): string => `sso-${id.slice(-12)}`;

const secretsPlace = (tenantId: number, id: string) => ({
  tenantId,
  table: 'sso_attempts',
  row: id,
  column: 'secrets',
});

type Beginning = SignInTarget & { subdomain: string; revision: number; redirectAddress: string; secrets: Secrets };

/** Stores a new sign-in. Returns the state for the provider, and the cookie for the browser. */
export const beginAttempt = async (
  { db, session }: Scope,
  vault: Vault,
  { subdomain, revision, redirectAddress, path, isAgain, secrets }: Beginning,
): Promise<{ state: string; cookie: { name: string; value: string } }> => {
  await db
    .deleteFrom('sso_attempts')
    .where('created_at', '<', sql<string>`now() - interval '1 day'`)
    .execute();
  const [id, state, value] = [newId(), prefixed(subdomain), random()];
  await db
    .insertInto('sso_attempts')
    .values({
      id,
      state_hash: hashOfToken(state),
      browser_hash: hashOfToken(value),
      secrets: vault.seal(JSON.stringify(secrets), secretsPlace(session.tenantId, id)),
      revision,
      redirect_address: redirectAddress,
      path,
      is_again: isAgain,
      expires_at: sql`now() + make_interval(mins => ${attemptMinutes})`,
    })
    .execute();
  return { state, cookie: { name: cookieOf({ id }), value } };
};

/** Returns a sign-in by its state. Undefined for an unknown state. */
export const attemptOf = ({ db }: Scope, state: string): Promise<Attempt | undefined> =>
  db.selectFrom('sso_attempts').selectAll().where('state_hash', '=', hashOfToken(state)).executeTakeFirst();

/** Accepts the return from the provider. It works only once, in time, and in the browser that began the sign-in. */
export const redeemReturn = async (
  { db, session }: Scope,
  vault: Vault,
  attempt: Attempt,
  cookies: Cookies,
): Promise<Secrets> => {
  refuseOtherBrowser(attempt, cookies);
  const used = await db
    .updateTable('sso_attempts')
    .set({ returned_at: sql`now()` })
    .where('id', '=', attempt.id)
    .where('returned_at', 'is', null)
    .where('expires_at', '>', sql<string>`now()`)
    .executeTakeFirst();
  if (used.numUpdatedRows === 0n) throw new SsoRefusal(attempt.returned_at === null ? 'expired' : 'used');
  const secrets: Secrets = JSON.parse(vault.open(attempt.secrets, secretsPlace(session.tenantId, attempt.id)));
  return secrets;
};

/** Creates the ticket for which the browser gets its session. It works once and within a minute. */
export const makeTicket = async (
  { db }: Scope,
  { id, userId, subdomain, shownAt }: { id: string; userId: string; subdomain: string; shownAt: Date | undefined },
): Promise<string> => {
  const ticket = prefixed(subdomain);
  await db
    .updateTable('sso_attempts')
    .set({
      user_id: userId,
      authenticated_at: shownAt?.toISOString() ?? null,
      ticket_hash: hashOfToken(ticket),
      ticket_expires_at: sql`now() + make_interval(secs => ${ticketSeconds})`,
    })
    .where('id', '=', id)
    .execute();
  return ticket;
};

type Ticket = { user_id: string; authenticated_at: string | null };

/**
 * Uses up a ticket, for a new session in the browser that began the sign-in, or for an existing session. Returns the
 * user of the ticket.
 */
export const redeemTicket = async (
  { db }: Scope,
  ticket: string,
  taker: { cookies: Cookies } | { isAgain: true },
): Promise<Ticket> => {
  const attempts = db.selectFrom('sso_attempts').selectAll();
  const attempt = await attempts.where('ticket_hash', '=', hashOfToken(ticket)).forUpdate().executeTakeFirst();
  if (!attempt?.user_id || attempt.is_again !== 'isAgain' in taker) throw new SsoRefusal('not_known');
  if ('cookies' in taker) refuseOtherBrowser(attempt, taker.cookies);
  const used = await db
    .updateTable('sso_attempts')
    .set({ ticket_used_at: sql`now()` })
    .where('id', '=', attempt.id)
    .where('ticket_used_at', 'is', null)
    .where('ticket_expires_at', '>', sql<string>`now()`)
    .executeTakeFirst();
  if (used.numUpdatedRows === 0n) throw new SsoRefusal(attempt.ticket_used_at === null ? 'expired' : 'used');
  return { user_id: attempt.user_id, authenticated_at: attempt.authenticated_at };
};

/** Ends unused tickets of a user. */
export const endTickets = async ({ db }: Scope, userId: string): Promise<void> => {
  await db
    .updateTable('sso_attempts')
    .set({ ticket_expires_at: sql`now()` })
    .where('user_id', '=', userId)
    .where('ticket_used_at', 'is', null)
    .execute();
};

/** Without this check, an attacker could make the browser of another person finish the attacker's sign-in. */
const refuseOtherBrowser = (attempt: Attempt, cookies: Cookies): void => {
  const sent = hashOfToken(cookies(cookieOf(attempt)) ?? '');
  if (!timingSafeEqual(sent, attempt.browser_hash)) throw new SsoRefusal('other_browser');
};
