import type { Tag } from './dictionary.ts';
import { DicomError, truncated } from './dicom-error.ts';
import { elementWithoutVr } from './element-without-vr.ts';
import {
  type ElementHeader,
  type Encoding,
  type Reading,
  countEffort,
  isPixelData,
  requireBytes,
  tagAt,
  uint16,
  uint32,
  vrAt,
  vrOf,
  warn,
} from './reading.ts';
import { hasLongLength, isVr, undefinedLength } from './vr.ts';

/**
 * Reads tag, VR and length at the position and moves to the value (PS3.5 §7.1). `end` is the end of the item or data
 * set around it. Some devices write NULs for a delimiter. If the caller expects a delimiter, NULs are read as
 * `delimiter`.
 */
export const readElementHeader = (
  reading: Reading<Uint8Array>,
  encoding: Encoding,
  end: number,
  delimiter?: Tag,
): ElementHeader => {
  const at = reading.position;
  if (at + 8 > end) throw endsTooSoon(reading, end);
  requireBytes(reading, at + 8);
  countEffort(reading, 'elements', 1);
  const isBlank = delimiter !== undefined && isBlankDelimiter(reading.bytes, at);
  const header = isBlank ? blankDelimiter(reading, delimiter) : headerAt(reading, encoding, at, end);
  reading.position = header.start;
  const missing = header.length === undefinedLength ? 0 : header.length - (end - header.start);
  if (missing <= 0) return header;
  // Some devices count the pad byte of odd pixel data but do not write it.
  const lacksPadding = missing === 1 && end === reading.size && isPixelData(header.tag) && header.length > 1;
  if (!lacksPadding) throw endsTooSoon(reading, end);
  warn(reading, 'The pixel data lacks its last byte.');
  return { ...header, length: header.length - 1 };
};

const headerAt = (reading: Reading<Uint8Array>, encoding: Encoding, at: number, end: number): ElementHeader => {
  const { bytes } = reading;
  const { littleEndian } = encoding;
  const tag = tagAt(bytes, at, littleEndian);
  if (tag.startsWith('FFFE')) return { tag, vr: '', length: uint32(bytes, at + 4, littleEndian), start: at + 8 };
  if (!encoding.explicit) {
    return { tag, vr: vrOf(tag), length: uint32(bytes, at + 4, littleEndian), start: at + 8 };
  }
  const vr = vrAt(bytes, at + 4);
  if (!isVr(vr)) return headerWithoutVr(reading, littleEndian, at, end);
  if (!hasLongLength(vr)) return { tag, vr, length: uint16(bytes, at + 6, littleEndian), start: at + 8 };
  if (at + 12 > end) throw endsTooSoon(reading, end);
  requireBytes(reading, at + 12);
  return { tag, vr, length: uint32(bytes, at + 8, littleEndian), start: at + 12 };
};

/** Reads an element whose VR is unknown. The bytes after the element show how its length is written. */
const headerWithoutVr = (
  reading: Reading<Uint8Array>,
  littleEndian: boolean,
  at: number,
  end: number,
): ElementHeader => {
  const header = elementWithoutVr(reading, littleEndian, at, end);
  if (!header) throw new DicomError('headerDamaged');
  warn(reading, 'An element has an unknown value representation.');
  return header;
};

/** Whether the next eight bytes are NUL, where a delimiter belongs. */
const isBlankDelimiter = (bytes: Uint8Array, at: number): boolean => {
  for (let index = at; index < at + 8; index += 1) if (bytes[index] !== 0) return false;
  return true;
};

const blankDelimiter = (reading: Reading<Uint8Array>, tag: Tag): ElementHeader => {
  warn(reading, 'A delimiter of the file is blank.');
  const start = reading.position + 8;
  reading.blankDelimiterEnd = start;
  return { tag, vr: '', length: 0, start };
};

/** Returns the error for a truncated file, or for an element longer than the item or data set around it. */
const endsTooSoon = (reading: Reading<Uint8Array>, end: number): DicomError =>
  end === reading.size ? truncated() : new DicomError('impossibleLength');
