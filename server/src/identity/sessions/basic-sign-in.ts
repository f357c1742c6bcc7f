import { t } from '@radwork/contract/core/translate';
import { createHmac, randomBytes } from 'node:crypto';
import { secondFactorRequired } from '@radwork/contract/identity/accounts';
import { audit } from '#core/audit/audit.ts';
import type { BasicCredentials, SignInBasic } from '#core/http/caller.ts';
import type { Context } from '#core/context.ts';
import { Problem, secondFactorNeeded, unauthenticated } from '#core/http/problem.ts';
import type { Scopes, Session } from '#core/access/scope.ts';
import { sessionOfUser } from '#core/access/session-of-user.ts';
import { refusePassword } from '#identity/credentials/password-rule.ts';
import { findLogin, type Login, auditLogin, verifyPassword } from '#identity/credentials/verify-password.ts';

/** The last verified credentials for an account and an address, without the password. */
type VerifiedCredentials = {
  proof: string;
  login: Login;
  verifiedAt: number;
  session: Session;
  /**
   * Version of the session data (Sessions.sessionVersion) when the user's data were read, and the time of that read.
   */
  version: number | undefined;
  requestedAt: number;
};

/** Two hash values. `place` is the hash of name and address; `proof` is the hash of name, address and password. */
type Key = { place: string; proof: string };

/** Milliseconds after which the password is verified and audited again. */
const verifiedFor = 10 * 60_000;
/** Milliseconds after which the database is asked again, even if no change was announced. */
const longestTrust = 10_000;
const mostVerified = 5000;

/**
 * Signs other software in by HTTP Basic (RFC 7617), without a session for each call. The name is the username. If the
 * call names no tenant, the tenant stands before the username: "clinic/rosa". A password is checked as at sign-in, with
 * the same limits. A right password is cached for the address of the call, as a hash with a key of this process.
 * Another password from that address empties the cache; otherwise a blocked caller could guess until the cached
 * password matches. When the database announces a change, permissions are read again. A new password, a deactivated
 * user or a suspended tenant ends the access at once.
 */
export const createBasicSignIn = ({ scopes, sessions }: Pick<Context, 'scopes' | 'sessions'>): SignInBasic => {
  const secret = randomBytes(32);
  const verified = new Map<string, VerifiedCredentials>();
  const verifying = new Map<string, Promise<Session>>();

  const hashOf = (...parts: (string | undefined)[]): string =>
    createHmac('sha256', secret).update(JSON.stringify(parts)).digest('base64');

  const keyOf = ({ subdomain, username, password, address }: BasicCredentials): Key => {
    const place = hashOf(subdomain, username.toLowerCase(), address);
    return { place, proof: hashOf(place, password) };
  };

  /** Returns the session of cached credentials, if they are still valid. */
  const recall = async ({ place, proof }: Key, account: BasicCredentials): Promise<Session | undefined> => {
    const known = verified.get(place);
    if (!known || known.proof !== proof || Date.now() - known.verifiedAt > verifiedFor) return undefined;
    const version = sessions.sessionVersion();
    const requestedAt = Date.now();
    const isFresh =
      version !== undefined && version === known.version && requestedAt - known.requestedAt < longestTrust;
    if (isFresh) return known.session;
    const login = await findLogin(scopes, account);
    if (login?.user_id !== known.login.user_id || login.password_hash !== known.login.password_hash) return undefined;
    if (login.second_factor !== 'NONE') return undefined;
    await refusePassword(scopes, login);
    const session = await sessionOf(scopes, login, account.address);
    if (verified.get(place) === known) verified.set(place, { ...known, session, version, requestedAt });
    return session;
  };

  const verify = async ({ place, proof }: Key, account: BasicCredentials): Promise<Session> => {
    verified.delete(place);
    const version = sessions.sessionVersion();
    const requestedAt = Date.now();
    const login = await verifyPassword(scopes, account, assertNoSecondFactor);
    const session = await sessionOf(scopes, login, account.address);
    await scopes.inTenant(session, async (scope) => {
      await auditLogin(scope.db, login);
      await audit(scope, 'session.begin', { entity: 'session', entityId: session.id, detail: { scheme: 'Basic' } });
    });
    if (verified.size >= mostVerified) verified.clear();
    verified.set(place, { proof, login, verifiedAt: requestedAt, session, version, requestedAt });
    return session;
  };

  /** Verifies the password once for all calls at the same time. */
  const verifyOnce = (key: Key, account: BasicCredentials): Promise<Session> => {
    const under = verifying.get(key.proof);
    if (under) return under;
    const verification = verify(key, account).finally(() => verifying.delete(key.proof));
    verifying.set(key.proof, verification);
    return verification;
  };

  return async (credentials) => {
    const account = withTenant(credentials);
    const key = keyOf(account);
    return (await recall(key, account)) ?? verifyOnce(key, account);
  };
};

/** HTTP Basic has no field for a code, so users who have or need a second factor are refused. */
const assertNoSecondFactor = async ({ second_factor }: Login): Promise<void> => {
  if (second_factor === 'NEEDED') throw secondFactorNeeded();
  if (second_factor === 'NONE') return;
  throw new Problem(
    403,
    secondFactorRequired,
    t`HTTP Basic cannot be used with a second factor. Use a token, or a separate account without a second factor.`,
  );
};

/** Returns the tenant before the name, or else the tenant that the call names. */
const withTenant = (credentials: BasicCredentials): BasicCredentials => {
  const [, subdomain, username] = /^([a-z0-9-]{1,63})\/(.+)$/i.exec(credentials.username) ?? [];
  return subdomain && username ? { ...credentials, subdomain: subdomain.toLowerCase(), username } : credentials;
};

/** Returns the session with the permissions of the user. Throws 401 when the user may not sign in now. */
const sessionOf = async (scopes: Scopes, { tenant_id, user_id }: Login, address: string): Promise<Session> => {
  const session = await sessionOfUser(scopes, tenant_id, user_id, address);
  if (!session) throw unauthenticated();
  return session;
};
