import type { CharacterSet } from './character-set.ts';
import type { DicomValue, PersonName } from './dataset.ts';
import { tagAt } from './reading.ts';
import { wordSizeOf } from './vr.ts';

/** The bytes of a value from `start` to `end`, with their byte order and character set. */
export type EncodedValue = {
  bytes: Buffer;
  start: number;
  end: number;
  littleEndian: boolean;
  characterSet: CharacterSet;
};

type ValueReader = (value: EncodedValue) => DicomValue[];

/**
 * Returns the values of an element as in DICOM JSON (PS3.18 §F.2.3), or undefined for binary VRs. Invalid values are
 * kept as text: DS or IS that are no number, and floats or 64-bit integers that JSON cannot hold.
 */
export const valuesOfBytes = (vr: string, value: EncodedValue): DicomValue[] | undefined =>
  valueReaders.get(vr)?.(value);

/** InlineBinary is always little endian (PS3.18 §F.2.7). */
export const inlineBinary = (vr: string, bytes: Buffer, littleEndian: boolean): string =>
  (littleEndian ? bytes : turned(bytes, wordSizeOf(vr))).toString('base64');

type NumberReader = (view: DataView, at: number, littleEndian: boolean) => number | bigint;

const numbers =
  (size: number, read: NumberReader): ValueReader =>
  ({ bytes, start, end, littleEndian }) => {
    const view = new DataView(bytes.buffer, bytes.byteOffset, end);
    const values: DicomValue[] = [];
    for (let at = start; at + size <= end; at += size) values.push(jsonNumber(read(view, at, littleEndian)));
    return values;
  };

const jsonNumber = (value: number | bigint): number | string => {
  const number = Number(value);
  const isExact = typeof value === 'bigint' ? Number.isSafeInteger(number) : Number.isFinite(number);
  return isExact ? number : String(value);
};

const tags: ValueReader = ({ bytes, start, end, littleEndian }) => {
  const values: DicomValue[] = [];
  for (let at = start; at + 4 <= end; at += 4) values.push(tagAt(bytes, at, littleEndian));
  return values;
};

const asciiTexts: ValueReader = ({ bytes, start, end }) => divided(bytes.toString('latin1', start, end));

const texts: ValueReader = (value) => divided(textOfBytes(value, '\\'));

/** A paragraph has one value. "\" is a normal character in it, and leading spaces count. */
const paragraph: ValueReader = (value) => single(trimmedEnd(textOfBytes(value, '')));

const decimals: ValueReader = ({ bytes, start, end }) => divided(bytes.toString('latin1', start, end), decimal);

const integers: ValueReader = ({ bytes, start, end }) => divided(bytes.toString('latin1', start, end), integer);

const names: ValueReader = (value) => {
  const values = textOfBytes(value, '\\^=').split('\\').map(personName);
  return values.every((value) => value === null) ? [] : values;
};

const valueReaders = new Map<string, ValueReader>([
  ['US', numbers(2, (view, at, littleEndian) => view.getUint16(at, littleEndian))],
  ['SS', numbers(2, (view, at, littleEndian) => view.getInt16(at, littleEndian))],
  ['UL', numbers(4, (view, at, littleEndian) => view.getUint32(at, littleEndian))],
  ['SL', numbers(4, (view, at, littleEndian) => view.getInt32(at, littleEndian))],
  ['FL', numbers(4, (view, at, littleEndian) => view.getFloat32(at, littleEndian))],
  ['FD', numbers(8, (view, at, littleEndian) => view.getFloat64(at, littleEndian))],
  ['SV', numbers(8, (view, at, littleEndian) => view.getBigInt64(at, littleEndian))],
  ['UV', numbers(8, (view, at, littleEndian) => view.getBigUint64(at, littleEndian))],
  ['AT', tags],
  ...['AE', 'AS', 'CS', 'DA', 'DT', 'TM', 'UI'].map((vr) => [vr, asciiTexts] as const),
  ...['LO', 'SH', 'UC'].map((vr) => [vr, texts] as const),
  ...['LT', 'ST', 'UR', 'UT'].map((vr) => [vr, paragraph] as const),
  ['DS', decimals],
  ['IS', integers],
  ['PN', names],
]);

const isPlainAscii = ({ bytes, start, end }: EncodedValue): boolean => {
  for (let at = start; at < end; at += 1) {
    const byte = bytes[at] ?? 0;
    if (byte >= 128 || byte === 0x1b) return false;
  }
  return true;
};

const textOfBytes = (value: EncodedValue, delimiters: string): string => {
  const { bytes, start, end, characterSet } = value;
  if (isPlainAscii(value)) return bytes.toString('latin1', start, end);
  return characterSet.decode(bytes.subarray(start, end), delimiters);
};

const asText = (text: string): DicomValue => text;

/** Splits at backslashes and reads each value with `read`. An empty value among several is null. */
const divided = (text: string, read = asText): DicomValue[] => {
  if (!text.includes('\\')) return single(trimmed(text), read);
  const values = text.split('\\').map(trimmed);
  return values.every((value) => value === '') ? [] : values.map((value) => (value === '' ? null : read(value)));
};

const single = (text: string, read = asText): DicomValue[] => (text === '' ? [] : [read(text)]);

/** The longest text that is parsed as a number. The standard allows 16 characters. */
const longestDecimal = 64;

const number = (text: string): number | string => {
  if (text.length > longestDecimal || !/^[+-]?(\d+(?:\.\d*)?|\.\d+)(e[+-]?\d+)?$/i.test(text)) return text;
  const value = Number(text);
  return Number.isFinite(value) ? value : text;
};

/** Some devices write a decimal comma. DS has no other comma (PS3.5 §6.2), so one comma cannot mean anything else. */
const decimal = (text: string): number | string => {
  const value = /^[^.,]*,[^.,]*$/.test(text) ? number(text.replace(',', '.')) : number(text);
  return typeof value === 'number' ? value : text;
};

/** An integer that a number cannot hold exactly stays text, with all its digits (PS3.18 §F.2.2). */
const integer = (text: string): number | string => {
  const value = number(text);
  return typeof value === 'number' && Math.abs(value) > Number.MAX_SAFE_INTEGER ? text : value;
};

const personName = (text: string): PersonName | null => {
  const [alphabetic, ideographic, phonetic] = text.split('=').map(withoutTrailingDelimiters);
  if (!alphabetic && !ideographic && !phonetic) return null;
  const name: PersonName = {};
  if (alphabetic) name.Alphabetic = alphabetic;
  if (ideographic) name.Ideographic = ideographic;
  if (phonetic) name.Phonetic = phonetic;
  return name;
};

const withoutTrailingDelimiters = (text: string): string => cutEnd(trimmed(text), '^ \0');

const trimmedEnd = (text: string): string => cutEnd(text, ' \0');

const trimmed = (text: string): string => {
  let start = 0;
  while (text[start] === ' ') start += 1;
  return trimmedEnd(text.slice(start));
};

/** Removes trailing padding. A regular expression would take quadratic time on long runs of spaces. */
const cutEnd = (text: string, padding: string): string => {
  let end = text.length;
  while (end > 0 && padding.includes(text.charAt(end - 1))) end -= 1;
  return text.slice(0, end);
};

const turned = (bytes: Buffer, wordSize: number): Buffer => {
  const aligned = Buffer.from(bytes.subarray(0, bytes.length - (bytes.length % wordSize)));
  if (wordSize === 2) return aligned.swap16();
  if (wordSize === 4) return aligned.swap32();
  return wordSize === 8 ? aligned.swap64() : aligned;
};
