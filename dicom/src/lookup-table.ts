import { expandedPalette } from './segmented-palette.ts';

/** A table of values for the stored values from `first` on; below and above it its ends go on (PS3.3 §C.11.1.1). */
export type LookupTable = { first: number; values: Uint16Array; bits: number };

/** What a table holds as it stands in a file: numbers, or bytes in little endian. */
export type TableData = { numbers: readonly number[] } | { bytes: Uint8Array };

export type StoredTable = {
  /** How many entries there are, for which value the first of them is, and how many bits each has. */
  descriptor: readonly number[];
  data: TableData;
  /** Whether the value that the first entry is for may be negative; the descriptor does not always say. */
  isSigned: boolean;
  /** Whether it is told in segments, as palettes may be. */
  isSegmented?: boolean;
};

/**
 * Reads a lookup table (PS3.3 §C.7.6.3.1.5, C.7.9.2, C.11.1.1, C.11.2.1.1); undefined for what is none. Throws DicomError for
 * segments that are damaged.
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

/** The number of entries of a descriptor. It has no sign, whatever VR it is written in; 65536 does not fit into its two bytes. */
export const entriesOf = (count: number): number => (count > 0 ? count : count + 65_536);

/** What a table makes of a value; of a fraction what it makes of the whole number below. */
export const valueInTable = ({ first, values }: LookupTable, value: number): number =>
  values[Math.min(Math.max(Math.trunc(value) - first, 0), values.length - 1)] ?? 0;

/** Some tables say 16 bits and hold 8. */
const usedBits = (values: Uint16Array, bits: number): number =>
  bits === 16 && values.every((value) => value < 256) ? 8 : bits;

/** Segments are told in words, also where the entries that come of them have one byte. */
const wordsOf = (data: TableData): Uint16Array => {
  if ('numbers' in data) return Uint16Array.from(data.numbers);
  const { buffer, byteOffset, byteLength } = data.bytes;
  const view = new DataView(buffer, byteOffset, byteLength);
  return Uint16Array.from({ length: Math.floor(byteLength / 2) }, (_, index) => view.getUint16(2 * index, true));
};

/** Entries of two bytes, or of one where there are not enough bytes for that. */
const valuesIn = (data: TableData, entries: number): Uint16Array => {
  const words = wordsOf(data);
  if (words.length >= entries) return words;
  return 'bytes' in data
    ? Uint16Array.from(data.bytes)
    : Uint16Array.from(data.numbers.flatMap((word) => [word & 255, (word >> 8) & 255]));
};

export type Palette = [red: LookupTable, green: LookupTable, blue: LookupTable];

/** A palette in as many bits in each channel: one that is dark throughout says nothing of what the others hold. */
export const alikePalette = ([red, green, blue]: Palette): Palette => {
  const bits = Math.max(red.bits, green.bits, blue.bits);
  return [
    { ...red, bits },
    { ...green, bits },
    { ...blue, bits },
  ];
};

/** The colour of a value in one channel of a palette, from 0 to 255. */
export const colourInTable = (table: LookupTable, value: number): number =>
  valueInTable(table, value) >> Math.max(0, table.bits - 8);
