import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import { tooMany } from '#core/problem.ts';
import { networkOf } from '#core/network-of.ts';
import type { Scopes } from '#core/scope.ts';

export type Attempt = { account: Buffer; address: string };
type Typed = { subdomain: string | undefined; username: string };
type Known = { tenant_id: number; user_id: string };
type Failures = { of_account: number; of_address: number; seconds_since_last: number | null };

/**
 * What counts together: tries at one user, by whatever name and at whatever page, or at a name that nobody has; and from
 * one network. Of the name only a hash is kept.
 */
export const attemptAt = (account: Typed | Known, address: string): Attempt => {
  const name =
    'user_id' in account
      ? `${account.tenant_id}:${account.user_id}`
      : `${account.subdomain ?? ''}/${account.username.toLowerCase()}`;
  return { account: createHash('sha256').update(name).digest(), address: networkOf(address) };
};

const trying = new Map<string, Promise<unknown>>();

/**
 * Lets one attempt at an account be made from an address at a time: of guesses that are sent together, all would be
 * tried before the first of them counts.
 */
export const inTurn = async <T>({ account, address }: Attempt, attempt: () => Promise<T>): Promise<T> => {
  const key = `${account.toString('hex')} ${address}`;
  const before = trying.get(key) ?? Promise.resolve();
  const turn = before.then(attempt, attempt);
  trying.set(key, turn);
  try {
    return await turn;
  } finally {
    if (trying.get(key) === turn) trying.delete(key);
  }
};

/**
 * Slows down guessing. From the fifth wrong password for one account from one address on, that address waits
 * 1, 2, 4… minutes, at most an hour, before it may try that account again; one address may fail 30 times a
 * minute in all. Somebody elsewhere is never held up, so nobody can lock a colleague out.
 */
export const assertMayTry = async (scopes: Scopes, { account, address }: Attempt): Promise<void> => {
  const { rows } = await scopes.withoutTenant((db) =>
    sql<Failures>`
      select count(*) filter (where account = ${account} and failed_at > now() - interval '2 hours') as of_account,
             count(*) filter (where failed_at > now() - interval '1 minute') as of_address,
             extract(epoch from now() - max(failed_at) filter (where account = ${account}))::int as seconds_since_last
      from login_failures where address = ${address}`.execute(db),
  );
  const [failures] = rows;
  if (!failures) return;
  const pause = failures.of_account < 5 ? 0 : Math.min(60 * 2 ** (failures.of_account - 5), 3600);
  const left = pause - (failures.seconds_since_last ?? pause);
  if (left > 0) throw tooMany(`Too many wrong passwords. Try again in ${inWords(left)}.`, left);
  if (failures.of_address >= 30) throw tooMany('Too many sign-in attempts from here. Try again in a minute.', 60);
};

/** The tries that this server has said were too many, and when. */
const told = new Map<string, number>();
const toldFor = 60_000;
const toldAtMost = 5000;

/** Whether a try that is one too many is to be written down: once a minute, or whoever goes on would fill the audit. */
export const isFirstTooMany = ({ account, address }: Attempt): boolean => {
  const key = `${account.toString('hex')} ${address}`;
  const now = Date.now();
  if (now - (told.get(key) ?? Number.NEGATIVE_INFINITY) < toldFor) return false;
  if (told.size >= toldAtMost) told.clear();
  told.set(key, now);
  return true;
};

const inWords = (seconds: number) => (seconds <= 60 ? 'a minute' : `${Math.ceil(seconds / 60)} minutes`);

export const noteFailure = async (scopes: Scopes, { account, address }: Attempt): Promise<void> => {
  await scopes.withoutTenant((db) => db.insertInto('login_failures').values({ account, address }).execute());
};

/** A right password forgives the wrong ones before it; those that count for nobody any more go with them. */
export const forgive = async (scopes: Scopes, { account, address }: Attempt): Promise<void> => {
  await scopes.withoutTenant((db) =>
    db
      .deleteFrom('login_failures')
      .where(sql<boolean>`(account = ${account} and address = ${address}) or failed_at < now() - interval '2 hours'`)
      .execute(),
  );
};
