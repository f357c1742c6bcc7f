import { plural, t } from '@radwork/contract/core/translate';
import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import { networkOf } from '#core/http/network-of-address.ts';
import { Problem, tooMany } from '#core/http/problem.ts';
import type { Scopes } from '#core/access/scope.ts';
import { createLimit } from '#core/resources/concurrency-limit.ts';

/**
 * `account` groups the attempts that count together. `signIn` groups those that a right password resets. Both are
 * hashes of names. `guessed` names the kind of secret, if it is not a password.
 */
export type Attempt = { account: Buffer; signIn: Buffer; network: string; guessed?: 'PINs' };
type AccountName = { subdomain: string | undefined; username: string };
type Failures = { of_account: number; of_network: number; seconds_since_last: number | null };

/**
 * Attempts count by the typed name and the network, without facts from the database. Existing and unknown names are
 * limited alike, with or without an organization. A right password resets only the attempts at its own organization.
 * Otherwise a user of the same name elsewhere could guess forever.
 */
export const attemptAt = ({ subdomain, username }: AccountName, address: string): Attempt => {
  const name = foldedName(username);
  return { account: hashOf(name), signIn: hashOf(`${subdomain ?? ''}/${name}`), network: networkOf(address) };
};

/**
 * Attempts at a signing PIN count separately from attempts at the user's password. Hashed names are in lower case, so
 * no name can equal "PIN …".
 */
export const attemptAtPin = ({ tenantId, userId }: { tenantId: number; userId: string }, address: string): Attempt => {
  const account = hashOf(`PIN ${tenantId}/${userId}`);
  return { account, signIn: account, network: networkOf(address), guessed: 'PINs' };
};

const hashOf = (name: string): Buffer => createHash('sha256').update(name).digest();

/**
 * Treats two spellings of a name as equal if the database does so. Otherwise the attempts with another spelling would
 * count from zero.
 */
const foldedName = (username: string): string =>
  username.normalize('NFKD').replaceAll(/\p{M}/gu, '').toUpperCase().toLowerCase();

type Limit = { run: ReturnType<typeof createLimit>; users: number };

/** Limits how many jobs of each key run at once. Other jobs wait in order. */
const limitedByKey = (most: number) => {
  const limits = new Map<string, Limit>();
  return async <T>(key: string, work: () => Promise<T>): Promise<T> => {
    const limit = limits.get(key) ?? { run: createLimit(most), users: 0 };
    limits.set(key, limit);
    limit.users += 1;
    try {
      return await limit.run(work);
    } finally {
      limit.users -= 1;
      if (limit.users === 0) limits.delete(key);
    }
  };
};

const keyOf = ({ account, network }: Attempt): string => `${account.toString('hex')} ${network}`;

const oneOfName = limitedByKey(1);
/**
 * Runs at most four attempts of one network at once, as many as hashes run in parallel. More running attempts could
 * exceed the limit of a network from which all users of a hospital sign in.
 */
const fewOfNetwork = limitedByKey(4);

/** Thrown by an attempt with wrong values. Such an attempt stays counted. */
export class WrongAttempt extends Problem {}

/**
 * Runs one attempt. Counts it before `work` checks the password, and takes the count back unless `work` throws a
 * WrongAttempt. A right password resets earlier failures. Throws 429 after too many, and then calls `onTooMany` once a
 * minute. Attempts at one name run one after another; otherwise a right password could be refused because of running
 * attempts.
 */
export const countedAttempt = async <T>(
  scopes: Scopes,
  attempt: Attempt,
  { onTooMany, work }: { onTooMany: () => Promise<void>; work: () => Promise<T> },
): Promise<T> => {
  const run = async (): Promise<T> => {
    const counted = await count(scopes, attempt).catch(async (error: unknown) => {
      if (error instanceof Problem && isFirstTooMany(attempt)) await onTooMany();
      throw error;
    });
    try {
      const result = await work();
      await forgive(scopes, attempt);
      return result;
    } catch (error) {
      if (!(error instanceof WrongAttempt)) await takeBack(scopes, counted);
      throw error;
    }
  };
  return oneOfName(keyOf(attempt), () => fewOfNetwork(attempt.network, run));
};

/**
 * Counts an attempt before its password is checked. Returns the id with which the count is taken back. After five wrong
 * passwords for one name, the network waits 1, 2, 4… minutes, at most an hour. One network may fail 30 times a minute
 * in total. Other networks are not limited, so no user can lock out a colleague. Attempts of one network are counted
 * one after another, on all servers. Otherwise all simultaneous guesses would be tried before the first one counts.
 */
const count = (scopes: Scopes, { account, signIn, network, guessed }: Attempt): Promise<number> =>
  scopes.withoutTenant(async (db) => {
    await sql`select pg_advisory_xact_lock(hashtextextended('sign-in ' || ${network}, 0))`.execute(db);
    const { rows } = await sql<Failures>`
      select count(*) filter (where account = ${account} and failed_at > now() - interval '2 hours') as of_account,
             count(*) filter (where failed_at > now() - interval '1 minute') as of_network,
             extract(epoch from now() - max(failed_at) filter (where account = ${account}))::int as seconds_since_last
      from login_failures where address = ${network}`.execute(db);
    const [failures] = rows;
    if (failures) assertMayTry(failures, guessed);
    const { id } = await db
      .insertInto('login_failures')
      .values({ account, sign_in: signIn, address: network })
      .returning('id')
      .executeTakeFirstOrThrow();
    return id;
  });

const assertMayTry = ({ of_account, of_network, seconds_since_last }: Failures, guessed: Attempt['guessed']): void => {
  const pause = of_account < 5 ? 0 : Math.min(60 * 2 ** (of_account - 5), 3600);
  const waitSeconds = pause - (seconds_since_last ?? pause);
  if (waitSeconds > 0)
    throw tooMany(guessed === 'PINs' ? tooManyPins(waitSeconds) : tooManyPasswords(waitSeconds), waitSeconds);
  if (of_network >= 30) throw tooMany(t`Too many sign-in attempts from your network. Try again in 1 minute.`, 60);
};

/** Attempts that this server refused because there were too many, with the time. */
const refusedAt = new Map<string, number>();
const refusalTime = 60_000;
const mostRefusals = 5000;

/** Returns whether to audit a 429: once a minute, so that guessing cannot fill the audit log. */
const isFirstTooMany = (attempt: Attempt): boolean => {
  const key = keyOf(attempt);
  const now = Date.now();
  if (now - (refusedAt.get(key) ?? Number.NEGATIVE_INFINITY) < refusalTime) return false;
  if (refusedAt.size >= mostRefusals) refusedAt.clear();
  refusedAt.set(key, now);
  return true;
};

const tooManyPasswords = (seconds: number): string =>
  plural(Math.ceil(seconds / 60), {
    one: 'Too many wrong passwords. Try again in # minute.',
    other: 'Too many wrong passwords. Try again in # minutes.',
  });

const tooManyPins = (seconds: number): string =>
  plural(Math.ceil(seconds / 60), {
    one: 'Too many wrong PINs. Try again in # minute.',
    other: 'Too many wrong PINs. Try again in # minutes.',
  });

/** Takes back the count of an attempt whose password was right or was not compared. */
const takeBack = async (scopes: Scopes, id: number): Promise<void> => {
  await scopes.withoutTenant((db) => db.deleteFrom('login_failures').where('id', '=', id).execute());
};

/** Deletes failures before a right password, and expired failures. */
const forgive = async (scopes: Scopes, { signIn, network }: Attempt): Promise<void> => {
  await scopes.withoutTenant((db) =>
    db
      .deleteFrom('login_failures')
      .where(sql<boolean>`(sign_in = ${signIn} and address = ${network}) or failed_at < now() - interval '2 hours'`)
      .execute(),
  );
};
