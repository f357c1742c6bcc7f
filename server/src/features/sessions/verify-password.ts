import { type Kysely, sql } from 'kysely';
import { audit } from '#core/audit.ts';
import type { BasicCredentials } from '#core/caller.ts';
import type { Schema } from '#core/database.ts';
import { passwordMatches } from '#core/passwords.ts';
import { unauthenticated } from '#core/problem.ts';
import { type Scopes, systemSession } from '#core/scope.ts';
import { accountOf, assertMayTry, type Attempt, forgive, inTurn, noteFailure } from './login-brake.ts';

/** An active user of an active tenant. */
export type Login = { tenant_id: number; user_id: string; password_hash: string };

/** The one user of this name; without a tenant it has to be one person's only: guessing could open the wrong tenant. */
export const findLogin = async (
  scopes: Scopes,
  { subdomain, username }: Pick<BasicCredentials, 'subdomain' | 'username'>,
): Promise<Login | undefined> => {
  const { rows } = await scopes.withoutTenant((db) =>
    sql<Login>`select * from find_login(${subdomain ?? null}, ${username})`.execute(db),
  );
  return rows.length === 1 ? rows[0] : undefined;
};

/**
 * Whose name and password these are. An unknown name, a wrong password and an ambiguous name get the same 401, as
 * slowly as the right one is found; too many of them get 429 (login-brake.ts).
 */
export const verifyPassword = (scopes: Scopes, credentials: BasicCredentials): Promise<Login> => {
  const { subdomain, username, address } = credentials;
  const attempt = { account: accountOf(subdomain, username), address };
  return inTurn(attempt, () => tryPassword(scopes, credentials, attempt));
};

const tryPassword = async (scopes: Scopes, credentials: BasicCredentials, attempt: Attempt): Promise<Login> => {
  await assertMayTry(scopes, attempt);
  const user = await findLogin(scopes, credentials);
  if (!(await passwordMatches(user?.password_hash, credentials.password)) || !user) {
    await noteFailure(scopes, attempt);
    if (user) await noteRefusal(scopes, user, credentials);
    throw unauthenticated('Invalid username or password');
  }
  await forgive(scopes, attempt);
  return user;
};

/** Whoever it was is not that user: the entry has the name that was tried and says whose account it was. */
const noteRefusal = (scopes: Scopes, user: Login, { username, address }: BasicCredentials) =>
  scopes.inTenant({ ...systemSession(user.tenant_id, address), username }, (scope) =>
    audit(scope, 'session.refuse', { entity: 'session', outcome: 'FAILURE', detail: { userId: user.user_id } }),
  );

/** Keeps when a user was last let in. */
export const noteLogin = async (db: Kysely<Schema>, { user_id }: Login): Promise<void> => {
  await db
    .updateTable('users')
    .set({ last_login_at: sql`now()` })
    .where('id', '=', user_id)
    .execute();
};
