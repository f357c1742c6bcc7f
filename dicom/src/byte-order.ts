import type { ReadBytes } from './byte-window.ts';

/** Words of two, four or eight bytes with their bytes turned round; what is left over at the end is no word and goes. */
export const turnedRound = (bytes: Buffer, wordSize: number): Buffer => {
  const words = Buffer.from(bytes.subarray(0, bytes.length - (bytes.length % wordSize)));
  if (wordSize === 2) return words.swap16();
  if (wordSize === 4) return words.swap32();
  return wordSize === 8 ? words.swap64() : words;
};

/**
 * Reads of a value in big endian, which begins at `start` of its file, as little endian. Words are whole only as the value has
 * them: what is read may begin or end within one.
 */
export const turningRound =
  (read: ReadBytes, start: number, wordSize: number): ReadBytes =>
  async (offset, length) => {
    const before = offset % wordSize;
    const words = Math.ceil((before + length) / wordSize);
    const bytes = await read(start + offset - before, words * wordSize);
    return turnedRound(bytes, wordSize).subarray(before, before + length);
  };
