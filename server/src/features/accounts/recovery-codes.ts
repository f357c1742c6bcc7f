import { randomBytes } from 'node:crypto';
import { howManyRecoveryCodes } from '@radwork/contract/account';
import { hashWithSalt } from '#core/passwords.ts';

const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
const length = 16;

/** Codes of 80 random bits each, which are shown once: "ABCD-EFGH-IJKL-MNOP". */
export const newRecoveryCodes = (): string[] => Array.from({ length: howManyRecoveryCodes }, newRecoveryCode);

const newRecoveryCode = (): string => {
  // Of a byte the last five bits: all letters are equally likely.
  const drawn = Array.from(randomBytes(length), (byte) => letters.charAt(byte & 31));
  return [0, 4, 8, 12].map((at) => drawn.slice(at, at + 4).join('')).join('-');
};

/** What is compared of a code, however it was typed; undefined for what cannot be one. */
export const plainRecoveryCode = (typed: string): string | undefined => {
  const plain = typed.toUpperCase().replaceAll(/[\s-]/g, '').replaceAll('0', 'O').replaceAll('1', 'I');
  return /^[A-Z2-7]{16}$/.test(plain) ? plain : undefined;
};

/** The same code always gives the same hash with a salt, so that of ten it takes one to look it up. */
export const hashOfRecoveryCode = (code: string, salt: Buffer): Promise<Buffer> =>
  hashWithSalt(plainRecoveryCode(code) ?? '', salt);
