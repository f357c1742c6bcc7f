import type { ReadBytes } from './byte-window.ts';

/** Reverses the bytes of each word of 2, 4 or 8 bytes. Drops an incomplete word at the end. */
export const swapBytes = (bytes: Buffer, wordSize: number): Buffer => {
  const words = Buffer.from(bytes.subarray(0, bytes.length - (bytes.length % wordSize)));
  if (wordSize === 2) return words.swap16();
  if (wordSize === 4) return words.swap32();
  return wordSize === 8 ? words.swap64() : words;
};

/**
 * Reads a big-endian value, which begins at `start` of its file, as little endian. A read may begin or end within a
 * word.
 */
export const readSwapped =
  (read: ReadBytes, start: number, wordSize: number): ReadBytes =>
  async (offset, length) => {
    const before = offset % wordSize;
    const words = Math.ceil((before + length) / wordSize);
    const bytes = await read(start + offset - before, words * wordSize);
    return swapBytes(bytes, wordSize).subarray(before, before + length);
  };
