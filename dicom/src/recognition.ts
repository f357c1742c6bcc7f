import { entryOf } from './dictionary.ts';
import { tagAt, uint32, vrAt, vrOf } from './element-reader.ts';

/** What a file may begin with before "DICM" (PS3.10 §7.1); nothing is said of what is in it. */
export const preambleLength = 128;

/** How many bytes of a file show whether it is DICOM. */
export const recognitionLength = preambleLength + 4;

/** Whether the file begins as PS3.10 §7.1 has it: a preamble, then "DICM". */
export const hasPrefix = (bytes: Uint8Array): boolean =>
  String.fromCharCode(...bytes.subarray(preambleLength, recognitionLength)) === 'DICM';

/**
 * Whether the file begins with an element of group 0002 or 0008 that PS3.6 knows, encoded in a way there is: a data
 * set that was written to disk without the meta information of PS3.10.
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
