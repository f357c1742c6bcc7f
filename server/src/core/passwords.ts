import { type Algorithm, hash, hashRaw, verify } from '@node-rs/argon2';
import { tooMany } from './problem.ts';

/** OWASP's argon2id at 64 MiB and 3 passes: about 70 ms on one core. */
const cost = { algorithm: 2 satisfies Algorithm.Argon2id, memoryCost: 65_536, timeCost: 3, parallelism: 1 } as const;

/** Each hash holds 64 MiB: a flood of sign-ins may not take the memory that images need. */
const atOnce = 4;
const waitingAtMost = 50;
let running = 0;
const waiting: (() => void)[] = [];

const inTurn = async <T>(work: () => Promise<T>): Promise<T> => {
  if (waiting.length >= waitingAtMost) throw tooMany('Too many people are signing in. Try again in a moment.', 5);
  if (running >= atOnce) await new Promise<void>((turn) => waiting.push(turn));
  running += 1;
  try {
    return await work();
  } finally {
    running -= 1;
    waiting.shift()?.();
  }
};

/**
 * A password in the bytes that it has whichever keyboard it was typed on: some write "ü" as one character, others as two,
 * and some write a blank that is another one (OpaqueString, RFC 8265 §4.2.2).
 */
const prepared = (password: string): string => password.replaceAll(/\p{Zs}/gu, ' ').normalize('NFC');

export const hashPassword = (password: string): Promise<string> => inTurn(() => hash(prepared(password), cost));

/** For codes that we have drawn: they cannot be guessed like what people choose, so that less work protects them. */
const costOfCodes = {
  algorithm: 2 satisfies Algorithm.Argon2id,
  memoryCost: 19_456,
  timeCost: 2,
  parallelism: 1,
} as const;

export const hashWithSalt = (code: string, salt: Buffer): Promise<Buffer> =>
  inTurn(() => hashRaw(code, { ...costOfCodes, salt }));

/** A hash that no password has, in place of a user's that does not exist: both take the same time to refuse. */
const nobody = hashPassword(crypto.randomUUID());

/** Whether a password is the one behind a hash; a missing hash is refused as slowly as a wrong password. */
export const passwordMatches = async (passwordHash: string | undefined, password: string): Promise<boolean> => {
  const expected = passwordHash ?? (await nobody);
  // As it was typed, too: hashes from before that was evened out are of that.
  for (const form of new Set([prepared(password), password])) {
    if (await inTurn(() => verify(expected, form))) return passwordHash !== undefined;
  }
  return false;
};
