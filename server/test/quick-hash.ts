import { type Algorithm, hash } from '@node-rs/argon2';

/**
 * A hash of a password that costs little to make and to compare with, for tests that sign in again and again: the work is
 * that of the hash that was stored. Tests of what a password costs take `hashPassword`.
 */
export const quickHash = (password: string): Promise<string> =>
  hash(password, { algorithm: 2 satisfies Algorithm.Argon2id, memoryCost: 64, timeCost: 1, parallelism: 1 });
