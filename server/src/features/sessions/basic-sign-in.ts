import { createHmac, randomBytes } from 'node:crypto';
import { secondFactorAsked } from '@radwork/contract/account';
import { audit } from '#core/audit.ts';
import type { BasicCredentials, SignInBasic } from '#core/caller.ts';
import type { Context } from '#core/context.ts';
import { Problem, secondFactorNeeded, unauthenticated } from '#core/problem.ts';
import type { Scopes, Session } from '#core/scope.ts';
import { sessionOfUser } from '#core/session-of-user.ts';
import { refusePassword } from '#features/single-sign-on/password-rule.ts';
import { findLogin, type Login, noteLogin, verifyPassword } from './verify-password.ts';

/** What is known of the last right password of an account from an address. The password is not in it. */
type Verified = {
  proof: string;
  login: Login;
  verifiedAt: number;
  session: Session;
  /** What the session was found out under (Sessions.sessionVersion), and when. */
  version: number | undefined;
  askedAt: number;
};

/** A name from an address, and a name, an address and a password: both only as hashes. */
type Key = { place: string; proof: string };

/** After this the password is hashed and compared again, and its use written down again. */
const verifiedFor = 10 * 60_000;
/** However long nothing is heard of changes, the database is asked again after this many milliseconds. */
const longestTrust = 10_000;
const mostVerified = 5000;

/**
 * Lets other software in by HTTP Basic (RFC 7617), without a session for each call. The name is the user's, with the
 * tenant before it where the call does not name it otherwise: "clinic/rosa". A password is tried as at sign-in, under
 * the same brake. That it was right is remembered by a hash with a key of this process, for the address that it came
 * from, and until another one is tried from there: else whoever is held up could go on guessing until what is remembered
 * lets them in. Who the user is and what they may do is asked anew as soon as the database says that something has
 * changed, and another password, a deactivated user or a suspended tenant end it at once.
 */
export const createBasicSignIn = ({ scopes, sessions }: Pick<Context, 'scopes' | 'sessions'>): SignInBasic => {
  const secret = randomBytes(32);
  const verified = new Map<string, Verified>();
  const verifying = new Map<string, Promise<Session>>();

  const hashOf = (...parts: (string | undefined)[]): string =>
    createHmac('sha256', secret).update(JSON.stringify(parts)).digest('base64');

  const keyOf = ({ subdomain, username, password, address }: BasicCredentials): Key => {
    const place = hashOf(subdomain, username.toLowerCase(), address);
    return { place, proof: hashOf(place, password) };
  };

  /** The session of credentials that were right before, as far as they still are. */
  const recall = async ({ place, proof }: Key, account: BasicCredentials): Promise<Session | undefined> => {
    const known = verified.get(place);
    if (!known || known.proof !== proof || Date.now() - known.verifiedAt > verifiedFor) return undefined;
    const version = sessions.sessionVersion();
    const askedAt = Date.now();
    const isFresh = version !== undefined && version === known.version && askedAt - known.askedAt < longestTrust;
    if (isFresh) return known.session;
    const login = await findLogin(scopes, account);
    if (login?.user_id !== known.login.user_id || login.password_hash !== known.login.password_hash) return undefined;
    if (login.second_factor !== 'NONE') return undefined;
    await refusePassword(scopes, login);
    const session = await sessionOf(scopes, login, account.address);
    if (verified.get(place) === known) verified.set(place, { ...known, session, version, askedAt });
    return session;
  };

  const verify = async ({ place, proof }: Key, account: BasicCredentials): Promise<Session> => {
    verified.delete(place);
    const version = sessions.sessionVersion();
    const askedAt = Date.now();
    const login = await verifyPassword(scopes, account, assertNoSecondFactor);
    const session = await sessionOf(scopes, login, account.address);
    await scopes.inTenant(session, async (scope) => {
      await noteLogin(scope.db, login);
      await audit(scope, 'session.begin', { entity: 'session', entityId: session.id, detail: { scheme: 'Basic' } });
    });
    if (verified.size >= mostVerified) verified.clear();
    verified.set(place, { proof, login, verifiedAt: askedAt, session, version, askedAt });
    return session;
  };

  /** Of calls that come together with the same password one has it tried. */
  const verifyOnce = (key: Key, account: BasicCredentials): Promise<Session> => {
    const under = verifying.get(key.proof);
    if (under) return under;
    const begun = verify(key, account).finally(() => verifying.delete(key.proof));
    verifying.set(key.proof, begun);
    return begun;
  };

  return async (credentials) => {
    const account = withTenant(credentials);
    const key = keyOf(account);
    return (await recall(key, account)) ?? verifyOnce(key, account);
  };
};

/** HTTP Basic has no place for a code: whoever has a second factor, or needs one, would be let in without it. */
const assertNoSecondFactor = async ({ second_factor }: Login): Promise<void> => {
  if (second_factor === 'NEEDED') throw secondFactorNeeded();
  if (second_factor === 'NONE') return;
  throw new Problem(
    403,
    secondFactorAsked,
    'This account has a second factor, for which HTTP Basic has no place. Give other software a token, or an account of its own without one.',
  );
};

/** The tenant that stands before a name, else the one that the call names. */
const withTenant = (credentials: BasicCredentials): BasicCredentials => {
  const [, subdomain, username] = /^([a-z0-9-]{1,63})\/(.+)$/i.exec(credentials.username) ?? [];
  return subdomain && username ? { ...credentials, subdomain: subdomain.toLowerCase(), username } : credentials;
};

/** What a user may do. Throws 401 when they may not be let in any more. */
const sessionOf = async (scopes: Scopes, { tenant_id, user_id }: Login, address: string): Promise<Session> => {
  const session = await sessionOfUser(scopes, tenant_id, user_id, address);
  if (!session) throw unauthenticated();
  return session;
};
