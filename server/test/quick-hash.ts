import { type Algorithm, hash } from '@node-rs/argon2';

/**
 * Creates a cheap password hash for tests that sign in often. The cost of checking is stored in the hash. Tests of
 * the real cost use `hashPassword`.
 */
export const quickHash = (password: string): Promise<string> =>
  hash(password, { algorithm: 2 satisfies Algorithm.Argon2id, memoryCost: 64, timeCost: 1, parallelism: 1 });
