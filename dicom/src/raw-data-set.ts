import { entryOf, type Tag } from './dictionary.ts';
import { DicomError } from './dicom-error.ts';
import { readElementHeader } from './element-reader.ts';
import {
  defaultLimits,
  requireBytes,
  startReading,
  tagAt,
  uint16,
  type ElementHeader,
  type Encoding,
  type Reading,
} from './reading.ts';
import { actualTransferSyntax, declaredTransferSyntax } from './encoding.ts';
import { delimiterOf, type Extent, extentOf, skipFragments } from './nesting.ts';
import { hasPrefix, recognitionLength, startsWithElement } from './recognize-file.ts';
import { explicitLittleEndian, type TransferSyntax } from './transfer-syntax.ts';
import { itemDelimitationTag, itemTag, sequenceDelimitationTag, undefinedLength } from './vr.ts';

/** An element as in the file: bytes in the byte order of the file, or the items of a sequence. */
export type RawElement = {
  tag: Tag;
  /** From the file, or from PS3.6 for implicit VR. It may then be "US|SS". */
  vr: string;
  value: Uint8Array | RawDataSet[];
  /** True if the value is fragments with a delimiter and without a length (PS3.5 §A.4), such as a compressed icon. */
  isEncapsulated?: true;
};

export type RawDataSet = RawElement[];

/** A file up to its pixel data, with every value as raw bytes. */
export type RawFile = {
  /** Group 0002 without its length. Empty for a bare data set. */
  fileMeta: RawDataSet;
  /** The actual transfer syntax. */
  syntax: TransferSyntax;
  /** Without group lengths and pixel data. */
  dataSet: RawDataSet;
  /** The start of the pixel data element, and of its value. No length means fragments. */
  pixelData: { tag: Tag; vr: string; start: number; offset: number; length: number | undefined } | undefined;
};

export const mediaStorageDirectory = '1.2.840.10008.1.3.10';

/** Limits for the directory of a disc. It describes each image of the disc, and discs hold tens of thousands. */
const directoryLimits = { ...defaultLimits, elements: 2_000_000 };

const pixelDataTags = new Set(['7FE00008', '7FE00009', '7FE00010']);

/** Signatures (PS3.3 §C.12.1.1.3) and padding (PS3.10 §7.2). Both are invalid after a new header. */
const isAfterPixelData = (tag: Tag): boolean => tag === 'FFFAFFFA' || tag === 'FFFCFFFC';

/** Some applications fill blocks with zeros. */
const isPadding = (reading: Reading<Uint8Array>): boolean => {
  const end = Math.min(reading.position + 8, reading.size);
  requireBytes(reading, end);
  return reading.bytes.subarray(reading.position, end).every((byte) => byte === 0);
};

/**
 * Reads a DICOM file up to its pixel data without interpreting values, in a browser or in Node. `bytes` may be the
 * beginning of a file of `size` bytes. Throws NeedMoreBytes when more is needed. Throws DicomError if the file is not
 * DICOM, damaged or deflated.
 */
export const readRawFile = (bytes: Uint8Array, size = bytes.length): RawFile => {
  const reading = startReading(bytes, size, defaultLimits);
  if (hasPrefix(bytes)) reading.position = recognitionLength;
  else if (!startsWithElement(bytes)) throw new DicomError('notDicom');

  const fileMeta = readFileMeta(reading);
  const declared = declaredTransferSyntax(fileMeta.length > 0 ? textOfRaw(fileMeta, '00020010') : undefined);
  if (declared?.deflated) {
    throw new DicomError('deflatedForBrowser');
  }
  const syntax = actualTransferSyntax(reading, declared);
  const isDirectory = textOfRaw(fileMeta, '00020002') === mediaStorageDirectory;
  const rootReading = isDirectory ? { ...reading, limits: directoryLimits } : reading;
  return { fileMeta, syntax, ...readRoot(rootReading, syntax) };
};

/** The value of an ASCII element, such as a UID or code string, without padding. "" if absent. */
export const textOfRaw = (dataSet: RawDataSet, tag: Tag): string => {
  const value = dataSet.find((element) => element.tag === tag)?.value;
  return value instanceof Uint8Array ? asciiOf(value) : '';
};

/** Converts ASCII bytes to text without the padding of spaces and NUL (PS3.5 §6.2). */
export const asciiOf = (bytes: Uint8Array): string => {
  let text = '';
  for (const byte of bytes) text += String.fromCharCode(byte);
  return text.replaceAll('\0', ' ').trim();
};

const readFileMeta = (reading: Reading<Uint8Array>): RawDataSet => {
  const fileMeta: RawDataSet = [];
  while (reading.position + 8 <= reading.size && uint16(reading.bytes, reading.position, true) === 2) {
    addRaw(reading, explicitLittleEndian, fileMeta, reading.size);
  }
  return fileMeta;
};

const readRoot = (reading: Reading<Uint8Array>, encoding: Encoding): Pick<RawFile, 'dataSet' | 'pixelData'> => {
  const dataSet: RawDataSet = [];
  while (reading.position < reading.size && !isPadding(reading)) {
    const start = reading.position;
    const header = readElementHeader(reading, encoding, reading.size);
    const { tag, vr, length } = header;
    if (pixelDataTags.has(tag)) {
      const isEncapsulated = length === undefinedLength;
      const pixelData = { tag, vr, start, offset: header.start, length: isEncapsulated ? undefined : length };
      return { dataSet, pixelData };
    }
    if (isAfterPixelData(tag)) break;
    if (tag < '00040000') throw new DicomError('headerDamaged');
    addValue(reading, encoding, dataSet, header, reading.size);
  }
  return { dataSet, pixelData: undefined };
};

const addRaw = (reading: Reading<Uint8Array>, encoding: Encoding, dataSet: RawDataSet, end: number): void =>
  addValue(reading, encoding, dataSet, readElementHeader(reading, encoding, end), end);

/** Adds the element after its header. Group lengths are dropped, because any change would make them wrong. */
const addValue = (
  reading: Reading<Uint8Array>,
  encoding: Encoding,
  dataSet: RawDataSet,
  header: ElementHeader,
  end: number,
): void => {
  if (header.tag.startsWith('FFFE')) throw new DicomError('headerDamaged');
  const element = readValue(reading, encoding, header, end);
  if (!header.tag.endsWith('0000')) dataSet.push(element);
};

const readValue = (
  reading: Reading<Uint8Array>,
  encoding: Encoding,
  header: ElementHeader,
  end: number,
): RawElement => {
  const { tag, vr, length } = header;
  if (vr === 'SQ') return { tag, vr, value: readItems(reading, encoding, header, end) };
  if (vr === 'UN' && isHiddenSequence(reading, header)) {
    return { tag, vr, value: readItems(reading, implicit, header, end) };
  }
  if (length !== undefinedLength) return { tag, vr, value: bytesUpTo(reading, header.start, header.start + length) };
  skipFragments(reading, encoding, end, moveOn);
  return { tag, vr, value: bytesUpTo(reading, header.start, reading.position), isEncapsulated: true };
};

/** UN means that the sender did not know the element. A sequence is then in implicit VR (PS3.5 §6.2.2). */
const isHiddenSequence = (reading: Reading<Uint8Array>, { tag, start, length }: ElementHeader): boolean => {
  if (length === undefinedLength) return true;
  if (length < 8 || entryOf(tag)?.vr !== 'SQ') return false;
  requireBytes(reading, start + 8);
  return tagAt(reading.bytes, start, true) === itemTag;
};

/** Fragments are copied and counted like any other value. */
const moveOn = (reading: Reading<Uint8Array>, length: number): void => {
  reading.position += length;
};

const implicit: Encoding = { explicit: false, littleEndian: true };

const bytesUpTo = (reading: Reading<Uint8Array>, start: number, end: number): Uint8Array => {
  reading.position = end;
  requireBytes(reading, end);
  return reading.bytes.subarray(start, end);
};

/** The depth limit stops the recursion long before the stack is full. */
const readItems = (
  reading: Reading<Uint8Array>,
  encoding: Encoding,
  header: ElementHeader,
  end: number,
): RawDataSet[] => {
  if (reading.depth >= reading.limits.depth) {
    throw new DicomError('nestedTooDeeply');
  }
  reading.depth += 1;
  const items: RawDataSet[] = [];
  const extent = extentOf(header, end);
  while (extent.isDelimited || reading.position < extent.end) {
    const item = readElementHeader(reading, encoding, extent.end, delimiterOf(extent, sequenceDelimitationTag));
    if (extent.isDelimited && item.tag === sequenceDelimitationTag) break;
    if (item.tag !== itemTag) throw new DicomError('headerDamaged');
    items.push(readItem(reading, encoding, extentOf(item, extent.end)));
  }
  reading.depth -= 1;
  return items;
};

const readItem = (reading: Reading<Uint8Array>, encoding: Encoding, extent: Extent): RawDataSet => {
  const dataSet: RawDataSet = [];
  while (extent.isDelimited || reading.position < extent.end) {
    const header = readElementHeader(reading, encoding, extent.end, delimiterOf(extent, itemDelimitationTag));
    if (extent.isDelimited && header.tag === itemDelimitationTag) break;
    addValue(reading, encoding, dataSet, header, extent.end);
  }
  return dataSet;
};
