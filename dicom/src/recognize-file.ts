import { entryOf } from './dictionary.ts';
import { tagAt, uint32, vrAt, vrOf } from './reading.ts';

/** The length of the preamble before "DICM" (PS3.10 §7.1). Its content is undefined. */
export const preambleLength = 128;

/** The number of bytes that show whether a file is DICOM. */
export const recognitionLength = preambleLength + 4;

/** Whether the file begins with a preamble and "DICM" (PS3.10 §7.1). */
export const hasPrefix = (bytes: Uint8Array): boolean =>
  String.fromCharCode(...bytes.subarray(preambleLength, recognitionLength)) === 'DICM';

/**
 * Whether the file begins with a valid element of group 0002 or 0008 in PS3.6. Such a file is a data set without the
 * meta information of PS3.10.
 */
export const startsWithElement = (bytes: Uint8Array): boolean => {
  if (bytes.length < 8) return false;
  const littleEndian = bytes[0] !== 0;
  const tag = tagAt(bytes, 0, littleEndian);
  if (!tag.startsWith('0008') && !(tag.startsWith('0002') && littleEndian)) return false;
  const expected = vrOf(tag);
  if (vrAt(bytes, 4) === expected) return true;
  const isKnown = tag.endsWith('0000') || entryOf(tag) !== undefined;
  return isKnown && littleEndian && tag.startsWith('0008') && uint32(bytes, 4, true) <= 256;
};
