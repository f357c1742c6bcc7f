import type { CharacterSet } from './character-set.ts';
import type { DicomValue, PersonName } from './dataset.ts';
import { wordSizeOf } from './vr.ts';

/** What the bytes of a value depend on beside their VR. */
export type ValueContext = { littleEndian: boolean; characterSet: CharacterSet };

/**
 * The values of an element as DICOM JSON writes them (PS3.18 §F.2.3), or undefined for a VR that is written as
 * bytes. Nothing is lost for being wrong: a DS or IS that is no number, and a float that JSON has no number for,
 * stay text; so do 64-bit integers that a JavaScript number cannot hold.
 */
export const valuesOfBytes = (vr: string, bytes: Buffer, context: ValueContext): DicomValue[] | undefined => {
  const ofNumber = numberReaders[vr];
  if (ofNumber) return numbers(bytes, wordSizeOf(vr), ofNumber, context.littleEndian);
  if (vr === 'AT') return tags(bytes, context.littleEndian);
  return textReaders[vr]?.(bytes, context.characterSet);
};

/** InlineBinary is in little endian, whatever the file is in (PS3.18 §F.2.7). */
export const inlineBinary = (vr: string, bytes: Buffer, littleEndian: boolean): string =>
  (littleEndian ? bytes : turned(bytes, wordSizeOf(vr))).toString('base64');

type NumberReader = (view: DataView, at: number, littleEndian: boolean) => number | bigint;

const numberReaders: Record<string, NumberReader> = {
  US: (view, at, littleEndian) => view.getUint16(at, littleEndian),
  SS: (view, at, littleEndian) => view.getInt16(at, littleEndian),
  UL: (view, at, littleEndian) => view.getUint32(at, littleEndian),
  SL: (view, at, littleEndian) => view.getInt32(at, littleEndian),
  FL: (view, at, littleEndian) => view.getFloat32(at, littleEndian),
  FD: (view, at, littleEndian) => view.getFloat64(at, littleEndian),
  SV: (view, at, littleEndian) => view.getBigInt64(at, littleEndian),
  UV: (view, at, littleEndian) => view.getBigUint64(at, littleEndian),
};

const numbers = (bytes: Buffer, size: number, read: NumberReader, littleEndian: boolean): DicomValue[] => {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const values: DicomValue[] = [];
  for (let at = 0; at + size <= bytes.length; at += size) values.push(jsonNumber(read(view, at, littleEndian)));
  return values;
};

const jsonNumber = (value: number | bigint): number | string => {
  const number = Number(value);
  const isExact = typeof value === 'bigint' ? Number.isSafeInteger(number) : Number.isFinite(number);
  return isExact ? number : String(value);
};

const tags = (bytes: Buffer, littleEndian: boolean): DicomValue[] => {
  const values: DicomValue[] = [];
  for (let at = 0; at + 4 <= bytes.length; at += 4) {
    const halves = [at, at + 2].map((half) => (littleEndian ? bytes.readUInt16LE(half) : bytes.readUInt16BE(half)));
    values.push(halves.map((half) => half.toString(16).toUpperCase().padStart(4, '0')).join(''));
  }
  return values;
};

type TextReader = (bytes: Buffer, characterSet: CharacterSet) => DicomValue[];

const asciiTexts: TextReader = (bytes) => withoutEmpty(bytes.toString('latin1').split('\\').map(trimmed));

const texts: TextReader = (bytes, characterSet) =>
  withoutEmpty(textOfBytes(bytes, characterSet, '\\').split('\\').map(trimmed));

/** Paragraphs have one value, in which "\" is a character like others and leading spaces count. */
const paragraph: TextReader = (bytes, characterSet) => withoutEmpty([trimmedEnd(textOfBytes(bytes, characterSet, ''))]);

const decimals: TextReader = (bytes) =>
  asciiTexts(bytes, noCharacterSet).map((value) => (typeof value === 'string' ? decimal(value) : value));

const names: TextReader = (bytes, characterSet) => {
  const values = textOfBytes(bytes, characterSet, '\\^=').split('\\').map(personName);
  return values.every((value) => value === null) ? [] : values;
};

const textReaders: Record<string, TextReader> = {
  ...Object.fromEntries(['AE', 'AS', 'CS', 'DA', 'DT', 'TM', 'UI'].map((vr) => [vr, asciiTexts])),
  ...Object.fromEntries(['LO', 'SH', 'UC'].map((vr) => [vr, texts])),
  ...Object.fromEntries(['LT', 'ST', 'UR', 'UT'].map((vr) => [vr, paragraph])),
  ...Object.fromEntries(['DS', 'IS'].map((vr) => [vr, decimals])),
  PN: names,
};

const noCharacterSet: CharacterSet = { decode: (bytes) => Buffer.from(bytes).toString('latin1') };

const isPlainAscii = (bytes: Buffer): boolean => {
  for (const byte of bytes) if (byte >= 128 || byte === 0x1b) return false;
  return true;
};

const textOfBytes = (bytes: Buffer, characterSet: CharacterSet, delimiters: string): string =>
  isPlainAscii(bytes) ? bytes.toString('latin1') : characterSet.decode(bytes, delimiters);

const withoutEmpty = (values: string[]): DicomValue[] =>
  values.every((value) => value === '') ? [] : values.map((value) => (value === '' ? null : value));

/** The longest text that is looked at as a number; the standard allows 16 characters. */
const longestDecimal = 64;

const decimal = (text: string): number | string => {
  if (text.length > longestDecimal || !/^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(text)) return text;
  const value = Number(text);
  return Number.isFinite(value) ? value : text;
};

const personName = (text: string): PersonName | null => {
  const [alphabetic, ideographic, phonetic] = text.split('=').map(withoutTrailingDelimiters);
  if (!alphabetic && !ideographic && !phonetic) return null;
  return {
    ...(alphabetic && { Alphabetic: alphabetic }),
    ...(ideographic && { Ideographic: ideographic }),
    ...(phonetic && { Phonetic: phonetic }),
  };
};

const withoutTrailingDelimiters = (text: string): string => cutEnd(trimmed(text), '^ \0');

const trimmedEnd = (text: string): string => cutEnd(text, ' \0');

const trimmed = (text: string): string => {
  let start = 0;
  while (text[start] === ' ') start += 1;
  return trimmedEnd(text.slice(start));
};

/** Without the padding at the end. Not a regular expression: those take quadratic time on long runs of spaces. */
const cutEnd = (text: string, padding: string): string => {
  let end = text.length;
  while (end > 0 && padding.includes(text.charAt(end - 1))) end -= 1;
  return text.slice(0, end);
};

const turned = (bytes: Buffer, wordSize: number): Buffer => {
  const whole = Buffer.from(bytes.subarray(0, bytes.length - (bytes.length % wordSize)));
  if (wordSize === 2) return whole.swap16();
  if (wordSize === 4) return whole.swap32();
  return wordSize === 8 ? whole.swap64() : whole;
};
