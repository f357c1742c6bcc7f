import { randomBytes } from 'node:crypto';
import { howManyRecoveryCodes } from '@radwork/contract/identity/accounts';
import { hashWithSalt } from '#core/access/passwords.ts';

const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
const length = 16;

/** Creates codes of 80 random bits, which are shown only once: "ABCD-EFGH-IJKL-MNOP". */
export const newRecoveryCodes = (): string[] => Array.from({ length: howManyRecoveryCodes }, newRecoveryCode);

const newRecoveryCode = (): string => {
  // Uses the last five bits of each byte, so that all letters are equally likely.
  const characters = Array.from(randomBytes(length), (byte) => letters.charAt(byte & 31));
  return [0, 4, 8, 12].map((at) => characters.slice(at, at + 4).join('')).join('-');
};

/** Returns a typed code in the form that is compared. Undefined if it cannot be a recovery code. */
export const plainRecoveryCode = (input: string): string | undefined => {
  const plain = input.toUpperCase().replaceAll(/[\s-]/g, '').replaceAll('0', 'O').replaceAll('1', 'I');
  return /^[A-Z2-7]{16}$/.test(plain) ? plain : undefined;
};

/**
 * Hashes a code with the salt of its user. One hash is enough to compare a typed code with all ten codes of the user.
 */
export const hashOfRecoveryCode = (code: string, salt: Buffer): Promise<Buffer> =>
  hashWithSalt(plainRecoveryCode(code) ?? '', salt);
