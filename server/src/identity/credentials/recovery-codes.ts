import { randomBytes } from 'node:crypto';
import { howManyRecoveryCodes } from '@radwork/contract/identity/accounts';
import { hashWithSalt } from '#core/access/passwords.ts';

const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
const length = 16;

/** Makes codes of 80 random bits each, which are shown once: "ABCD-EFGH-IJKL-MNOP". */
export const newRecoveryCodes = (): string[] => Array.from({ length: howManyRecoveryCodes }, newRecoveryCode);

const newRecoveryCode = (): string => {
  // Takes the last five bits of each byte, which makes all letters equally likely.
  const drawn = Array.from(randomBytes(length), (byte) => letters.charAt(byte & 31));
  return [0, 4, 8, 12].map((at) => drawn.slice(at, at + 4).join('')).join('-');
};

/** Returns the comparable form of a typed code; undefined if it cannot be a recovery code. */
export const plainRecoveryCode = (typed: string): string | undefined => {
  const plain = typed.toUpperCase().replaceAll(/[\s-]/g, '').replaceAll('0', 'O').replaceAll('1', 'I');
  return /^[A-Z2-7]{16}$/.test(plain) ? plain : undefined;
};

/** Hashes a code with the salt of its owner. One hash is enough to look up any of the ten codes. */
export const hashOfRecoveryCode = (code: string, salt: Buffer): Promise<Buffer> =>
  hashWithSalt(plainRecoveryCode(code) ?? '', salt);
