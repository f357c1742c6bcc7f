import { createHash, randomUUID } from 'node:crypto';

/**
 * Whether a text is a safe UID: groups of digits with single dots, 1 to 64 characters (PS3.5 §9.1). Check every UID
 * from outside before any other use: this refuses ".." and "/". Leading zeros break the standard but occur in real
 * archives and are accepted.
 */
export const isUid = (text: string): boolean => text.length <= 64 && /^\d+(\.\d+)*$/.test(text);

/** Makes a unique UID from a UUID (PS3.5 §B.2). */
export const newUid = (): string => uidOfUuid(randomUUID().replaceAll('-', ''));

/** Makes the same UID from the same parts, on every machine. */
export const uidFrom = (...parts: readonly (string | number)[]): string => {
  const hash = createHash('sha256').update(JSON.stringify(parts)).digest('hex');
  const versionEight = `${hash.slice(0, 12)}8${hash.slice(13, 16)}8${hash.slice(17, 32)}`;
  return uidOfUuid(versionEight);
};

const uidOfUuid = (hexDigits: string): string => `2.25.${BigInt(`0x${hexDigits}`)}`;
