import { entryOf, tagOfNumber, type Tag } from './dictionary.ts';
import { DicomError, NeedMoreBytes, truncated } from './dicom-error.ts';
import { vrOfNumber } from './vr.ts';

/**
 * Limits for reading one file. They are far above real files, and low enough to read any file safely. A sparse slide of
 * 60,000 tiles has 15 elements and items for each.
 */
export type Limits = {
  /** Levels of nested sequences. */
  depth: number;
  /** Elements and items together. */
  elements: number;
  /** Single values of all elements together. */
  values: number;
  /** Bytes of text other than ASCII, of all elements together. */
  textBytes: number;
  /** Fragments of the pixel data. */
  fragments: number;
  /** Bytes read before the pixel data. Long values are skipped and not counted. */
  headerBytes: number;
  /** Bytes of each element that identifies the image or the patient. */
  identityBytes: number;
  /** Bytes of an inflated data set. */
  inflatedBytes: number;
};

export const defaultLimits: Limits = {
  depth: 32,
  elements: 1_000_000,
  values: 4_000_000,
  textBytes: 4 << 20,
  fragments: 1_000_000,
  headerBytes: 64 << 20,
  identityBytes: 4096,
  inflatedBytes: 64 << 20,
};

/** A value that is too long for JSON, as a range of the file or of the inflated data set. */
export type BulkValue = { uri: string; vr: string; offset: number; length: number };

/**
 * The state of reading one file: position, used limits, warnings. The server reads a Buffer; code for the browser needs
 * only a Uint8Array.
 */
export type Reading<Bytes extends Uint8Array = Buffer> = {
  /** The beginning of the file, as far as it is loaded. */
  readonly bytes: Bytes;
  /** The size of the whole file. */
  readonly size: number;
  readonly limits: Limits;
  readonly warnings: Set<string>;
  readonly bulk: BulkValue[];
  position: number;
  /**
   * The end of the last delimiter, if that delimiter was blank. If only zeros follow it, the end of the file was lost.
   */
  blankDelimiterEnd: number | undefined;
  /** Skipped bytes before the position. */
  passed: number;
  depth: number;
  elements: number;
  values: number;
  textBytes: number;
};

export const startReading = <Bytes extends Uint8Array>(bytes: Bytes, size: number, limits: Limits): Reading<Bytes> => ({
  bytes,
  size,
  limits,
  warnings: new Set(),
  bulk: [],
  position: 0,
  blankDelimiterEnd: undefined,
  passed: 0,
  depth: 0,
  elements: 0,
  values: 0,
  textBytes: 0,
});

export type Encoding = { explicit: boolean; littleEndian: boolean };

/** An element before its value is read. The length `undefinedLength` means up to a delimiter. */
export type ElementHeader = { tag: Tag; vr: string; length: number; start: number };

const mostWarnings = 30;

/** Records an oddity that is no reason to refuse the file. The text must not quote the file. */
export const warn = (reading: Reading<Uint8Array>, text: string): void => {
  if (reading.warnings.size < mostWarnings) reading.warnings.add(text);
};

/**
 * Checks that the bytes from `start` (default: the position) to `end` are loaded; otherwise throws. So a length field
 * alone never causes a read or an allocation.
 */
export const requireBytes = (reading: Reading<Uint8Array>, end: number, start = reading.position): void => {
  const { size, passed, limits, bytes } = reading;
  if (end > size) throw truncated();
  if (end - passed > limits.headerBytes) throw headerTooLong(limits);
  if (end > bytes.length) {
    const needed = Math.min(size, Math.max(end, 2 * bytes.length));
    throw new NeedMoreBytes(needed, { from: Math.max(start, bytes.length), to: end }, effortOf(reading));
  }
};

/** The cost of reading: elements and values together. */
export const effortOf = ({ elements, values }: Reading<Uint8Array>): number => elements + values;

export const headerTooLong = ({ headerBytes }: Pick<Limits, 'headerBytes'>): DicomError =>
  new DicomError({ kind: 'headerTooLong', mebibytes: headerBytes >> 20 });

/** Skips bytes that stay in the file. */
export const skipBytes = (reading: Reading<Uint8Array>, length: number): void => {
  reading.position += length;
  reading.passed += length;
};

/** Counts toward a limit, and refuses the file when the limit is exceeded. */
export const countEffort = (
  reading: Reading<Uint8Array>,
  what: 'elements' | 'values' | 'textBytes',
  amount: number,
): void => {
  reading[what] += amount;
  if (reading[what] > reading.limits[what]) {
    throw new DicomError('headerTooLarge');
  }
};

/** The VR in implicit VR (PS3.5 §A.1): from PS3.6, or LO for a private creator. */
export const vrOf = (tag: Tag): string => {
  if (tag.endsWith('0000')) return 'UL';
  const isPrivate = parseInt(tag.charAt(3), 16) % 2 === 1;
  if (!isPrivate) return entryOf(tag)?.vr ?? 'UN';
  return /^....00[1-9A-F]/.test(tag) ? 'LO' : 'UN';
};

const pixelDataTags = new Set(['7FE00008', '7FE00009', '7FE00010']);

/** Whether the element is pixel data: integers, floats or doubles (PS3.3 §C.7.6.3, §C.7.6.24, §C.7.6.25). */
export const isPixelData = (tag: Tag): boolean => pixelDataTags.has(tag);

const byteAt = (bytes: Uint8Array, at: number): number => bytes[at] ?? 0;

export const uint16 = (bytes: Uint8Array, at: number, littleEndian: boolean): number =>
  littleEndian ? byteAt(bytes, at) | (byteAt(bytes, at + 1) << 8) : (byteAt(bytes, at) << 8) | byteAt(bytes, at + 1);

export const uint32 = (bytes: Uint8Array, at: number, littleEndian: boolean): number => {
  const [low, high] = littleEndian ? [at, at + 2] : [at + 2, at];
  return uint16(bytes, high, littleEndian) * 0x1_0000 + uint16(bytes, low, littleEndian);
};

export const tagAt = (bytes: Uint8Array, at: number, littleEndian: boolean): Tag =>
  tagOfNumber(uint16(bytes, at, littleEndian) * 0x1_0000 + uint16(bytes, at + 2, littleEndian));

export const vrAt = (bytes: Uint8Array, at: number): string => vrOfNumber(uint16(bytes, at, false));
