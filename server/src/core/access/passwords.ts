import { t } from '@radwork/contract/core/translate';
import { type Algorithm, hash, hashRaw, verify } from '@node-rs/argon2';
import { tooMany } from '#core/http/problem.ts';

/** OWASP's argon2id with 64 MiB and 3 passes: about 70 ms on one core. */
const cost = { algorithm: 2 satisfies Algorithm.Argon2id, memoryCost: 65_536, timeCost: 3, parallelism: 1 } as const;

/**
 * Number of hashes that run at once. Each hash uses 64 MiB, so the limit leaves memory for images when many users sign
 * in.
 */
const atOnce = 4;
const waitingAtMost = 50;
let running = 0;
const waiting: (() => void)[] = [];

const inTurn = async <T>(work: () => Promise<T>): Promise<T> => {
  if (waiting.length >= waitingAtMost) throw tooMany(t`Too many users are signing in. Try again in a moment.`, 5);
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
 * Normalizes a password (OpaqueString, RFC 8265 §4.2.2). Keyboards may encode "ü" as one or two characters, and use
 * different spaces.
 */
const prepared = (password: string): string => password.replaceAll(/\p{Zs}/gu, ' ').normalize('NFC');

export const hashPassword = (password: string): Promise<string> => inTurn(() => hash(prepared(password), cost));

/** The cost is lower for generated codes, because codes are harder to guess than chosen passwords. */
const costOfCodes = {
  algorithm: 2 satisfies Algorithm.Argon2id,
  memoryCost: 19_456,
  timeCost: 2,
  parallelism: 1,
} as const;

export const hashWithSalt = (code: string, salt: Buffer): Promise<Buffer> =>
  inTurn(() => hashRaw(code, { ...costOfCodes, salt }));

/** A hash that matches no password. It stands in for an unknown user, so that refusals take equally long. */
const nobody = hashPassword(crypto.randomUUID());

/** Compares a password with a hash. Without a hash, the comparison takes as long as for a wrong password. */
export const passwordMatches = async (passwordHash: string | undefined, password: string): Promise<boolean> => {
  const expected = passwordHash ?? (await nobody);
  // Older hashes are of passwords that were not normalized, so the password as typed is compared too.
  for (const form of new Set([prepared(password), password])) {
    if (await inTurn(() => verify(expected, form))) return passwordHash !== undefined;
  }
  return false;
};
