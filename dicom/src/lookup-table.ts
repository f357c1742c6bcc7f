import { expandedPalette } from './segmented-palette.ts';

/**
 * Output values for the stored values from `first` on. Values outside use the first or last entry (PS3.3 §C.11.1.1).
 */
export type LookupTable = { first: number; values: Uint16Array; bits: number };

/** The entries as in a file: numbers, or bytes in little endian. */
export type TableData = { numbers: readonly number[] } | { bytes: Uint8Array };

export type StoredTable = {
  /** The number of entries, the value of the first entry, and the bits of each entry. */
  descriptor: readonly number[];
  data: TableData;
  /** Whether the value of the first entry may be negative. The descriptor does not always define it. */
  isSigned: boolean;
  /** Whether the data is segmented, as palettes may be. */
  isSegmented?: boolean;
};

/**
 * Reads a lookup table (PS3.3 §C.7.6.3.1.5, C.7.9.2, C.11.1.1, C.11.2.1.1). Returns undefined for an invalid table.
 * Throws DicomError for damaged segments.
 */
export const lookupTableOf = ({ descriptor, data, isSigned, isSegmented }: StoredTable): LookupTable | undefined => {
  const [count, first, bits] = descriptor;
  if (count === undefined || first === undefined || !bits || bits > 16) return undefined;
  const entries = entriesOf(count);
  const values = isSegmented ? expandedPalette(wordsOf(data), entries) : valuesIn(data, entries);
  if (values.length < entries) return undefined;
  const start = isSigned && first >= 32_768 ? first - 65_536 : first;
  return { first: start, values: values.subarray(0, entries), bits: usedBits(values, bits) };
};

/**
 * The number of entries of a descriptor. It is unsigned in every VR. 65536 does not fit into two bytes and is written
 * 0.
 */
export const entriesOf = (count: number): number => (count > 0 ? count : count + 65_536);

/** The output for a value. Fractions are rounded down. */
export const valueInTable = ({ first, values }: LookupTable, value: number): number =>
  values[Math.min(Math.max(Math.trunc(value) - first, 0), values.length - 1)] ?? 0;

/** Some tables declare 16 bits but hold 8, and others declare fewer bits than their entries have. */
const usedBits = (values: Uint16Array, bits: number): number => {
  const most = values.reduce((highest, value) => Math.max(highest, value), 0);
  if (bits === 16 && most < 256) return 8;
  if (most < 2 ** bits) return bits;
  // Entries of more than 12 bits use the whole word.
  return most < 4096 ? 32 - Math.clz32(most) : 16;
};

/** Segments are 16-bit words, even if the resulting entries have one byte. */
const wordsOf = (data: TableData): Uint16Array => {
  if ('numbers' in data) return Uint16Array.from(data.numbers);
  const { buffer, byteOffset, byteLength } = data.bytes;
  const view = new DataView(buffer, byteOffset, byteLength);
  return Uint16Array.from({ length: Math.floor(byteLength / 2) }, (_, index) => view.getUint16(2 * index, true));
};

/** Entries of two bytes, or of one byte if there are too few words. */
const valuesIn = (data: TableData, entries: number): Uint16Array => {
  const words = wordsOf(data);
  if (words.length >= entries) return words;
  return 'bytes' in data
    ? Uint16Array.from(data.bytes)
    : Uint16Array.from(data.numbers.flatMap((word) => [word & 255, (word >> 8) & 255]));
};

export type Palette = [red: LookupTable, green: LookupTable, blue: LookupTable];

/**
 * Gives all channels of a palette the same number of bits. From a channel that is dark throughout, its number of bits
 * cannot be seen.
 */
export const alikePalette = ([red, green, blue]: Palette): Palette => {
  const bits = Math.max(red.bits, green.bits, blue.bits);
  return [
    { ...red, bits },
    { ...green, bits },
    { ...blue, bits },
  ];
};

/** The color of a value in one channel of a palette, 0 to 255. */
export const colorInTable = (table: LookupTable, value: number): number =>
  valueInTable(table, value) >> Math.max(0, table.bits - 8);
