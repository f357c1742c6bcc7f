import { createHash, randomUUID } from 'node:crypto';

/**
 * Whether a text is a UID that is safe to use: digits in groups with single dots between, 1 to 64 characters
 * (PS3.5 §9.1). Nothing else may be done with a UID from outside before it has passed here: ".." and "/" do not.
 * Leading zeros in a group break the standard but exist in real archives, harm nothing, and are let through.
 */
export const isUid = (text: string): boolean => text.length <= 64 && /^\d+(\.\d+)*$/.test(text);

/** A new unique UID, made from a UUID as PS3.5 §B.2 allows. */
export const newUid = (): string => uidOfUuid(randomUUID().replaceAll('-', ''));

/** The same UID for the same parts, always and everywhere. */
export const uidFrom = (...parts: readonly (string | number)[]): string => {
  const hash = createHash('sha256').update(JSON.stringify(parts)).digest('hex');
  const versionEight = `${hash.slice(0, 12)}8${hash.slice(13, 16)}8${hash.slice(17, 32)}`;
  return uidOfUuid(versionEight);
};

const uidOfUuid = (hexDigits: string): string => `2.25.${BigInt(`0x${hexDigits}`)}`;
