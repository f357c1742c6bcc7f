import { swapBytes } from './byte-order.ts';
import { tagOf, type Tag } from './dictionary.ts';
import { DicomError } from './dicom-error.ts';
import { readElementHeader } from './element-reader.ts';
import { defaultLimits, startReading, type ElementHeader, type Encoding, type Reading } from './reading.ts';
import { readFileMeta } from './file-meta.ts';
import type { Header } from './header.ts';
import { type Elements, writeDataSet } from './part10.ts';
import { isAtEnd } from './root-data-set.ts';
import type { TransferSyntax } from './transfer-syntax.ts';
import {
  hasLongLength,
  isBinary,
  itemDelimitationTag,
  itemTag,
  sequenceDelimitationTag,
  undefinedLength,
  wordSizeOf,
} from './vr.ts';

/** Thrown for compressed pixels in a sequence, except in an icon. An uncompressed file cannot hold such pixels. */
export class NotReEncodable extends Error {}

/** The target: Explicit VR Little Endian, or Implicit, which every DICOM application must support (PS3.5 §10.1). */
export type UncompressedSyntax = Pick<TransferSyntax, 'uid' | 'explicit'>;

/** The written bytes of elements, by tag. */
type WrittenElements = Map<Tag, Buffer>;

/** How elements are read and written, and whether "US or SS" is SS (PS3.5 §A.1). */
type Source = { encoding: Encoding; into: UncompressedSyntax; isSigned: boolean };

const implicit: Encoding = { explicit: false, littleEndian: true };
const iconImageTag = tagOf('IconImageSequence');
const trailingPaddingTag = tagOf('DataSetTrailingPadding');
const longestShortLength = 0xffff;
/** Limits for reading after the pixel data. */
const tailLimits = { ...defaultLimits, headerBytes: Number.MAX_SAFE_INTEGER };

/**
 * Writes the data set before the pixel data in Explicit or Implicit VR Little Endian (PS3.5 §A.1, §A.2). Values are
 * copied; only the byte order of big-endian files changes. `changed` replaces elements, or removes them if undefined.
 * Group lengths and a compressed icon are dropped.
 *
 * `bytes` is the file up to its pixel data. Throws NotReEncodable.
 */
export const encodeBeforePixels = (
  bytes: Buffer,
  header: Header,
  into: UncompressedSyntax,
  changed: Elements = {},
): Buffer => {
  const { inflated, pixelData } = header;
  const reading = inflated
    ? startReading(inflated, inflated.length, defaultLimits)
    : startReading(bytes, pixelData ? Number.MAX_SAFE_INTEGER : bytes.length, {
        ...defaultLimits,
        headerBytes: bytes.length,
      });
  if (!inflated) readFileMeta(reading);
  const elements: WrittenElements = new Map();
  const source = { encoding: header, into, isSigned: false };
  while (reading.position < (pixelData?.offset ?? reading.size) && !isAtEnd(reading)) {
    const element = readElementHeader(reading, header, reading.size);
    if (element.start === pixelData?.offset || element.tag === trailingPaddingTag) break;
    putElement(elements, reading, source, element, reading.size);
  }
  for (const [keyword, value] of Object.entries(changed)) {
    if (value === undefined) elements.delete(tagOf(keyword));
    else elements.set(tagOf(keyword), writeDataSet(into.uid, { [keyword]: value }));
  }
  return inOrder(elements);
};

/** Writes the elements after the pixel data in the same way. Drops bytes that are no elements. */
export const encodeAfterPixels = (tail: Buffer, encoding: Encoding, into: UncompressedSyntax): Buffer => {
  const reading = startReading(tail, tail.length, tailLimits);
  const elements: WrittenElements = new Map();
  try {
    while (!isAtEnd(reading)) {
      const element = readElementHeader(reading, encoding, reading.size);
      if (element.tag === trailingPaddingTag) break;
      putElement(elements, reading, { encoding, into, isSigned: false }, element, reading.size);
    }
  } catch (error) {
    if (!(error instanceof DicomError)) throw error;
  }
  return inOrder(elements);
};

/** The header of an element (PS3.5 §7.1.2, §7.1.3). A VR whose length field is too short becomes UN. */
export const encodeElementHeader = (tag: Tag, vr: string, length: number, into: UncompressedSyntax): Buffer =>
  into.explicit ? explicitHeader(tag, vr, length) : implicitHeader(tag, length);

const implicitHeader = (tag: Tag, length: number): Buffer => {
  const header = Buffer.alloc(8);
  writeTag(header, tag);
  header.writeUInt32LE(length, 4);
  return header;
};

const explicitHeader = (tag: Tag, vr: string, length: number): Buffer => {
  const isLong = hasLongLength(vr) || length > longestShortLength;
  const header = Buffer.alloc(isLong ? 12 : 8);
  writeTag(header, tag);
  header.write(hasLongLength(vr) || !isLong ? vr : 'UN', 4, 'latin1');
  if (isLong) header.writeUInt32LE(length, 8);
  else header.writeUInt16LE(length, 6);
  return header;
};

const writeTag = (target: Buffer, tag: Tag): void => {
  target.writeUInt16LE(parseInt(tag.slice(0, 4), 16), 0);
  target.writeUInt16LE(parseInt(tag.slice(4), 16), 2);
};

const inOrder = (elements: WrittenElements): Buffer =>
  Buffer.concat([...elements].toSorted(([one], [other]) => (one < other ? -1 : 1)).map(([, bytes]) => bytes));

/** Adds the element after its header. If an element occurs twice, its first occurrence counts, as in readHeader. */
const putElement = (
  elements: WrittenElements,
  reading: Reading,
  source: Source,
  element: ElementHeader,
  end: number,
): void => {
  const bytes = elementBytes(reading, source, element, end);
  const { tag } = element;
  if (!bytes || tag.endsWith('0000') || elements.has(tag)) return;
  elements.set(tag, bytes);
  if (tag === '00280103') source.isSigned = bytes.readUInt16LE(8) === 1;
};

/** The written element, or undefined for a compressed icon. */
const elementBytes = (reading: Reading, source: Source, element: ElementHeader, end: number): Buffer | undefined => {
  const { tag, start, length } = element;
  const vr = vrOf(element, source);
  if (vr === 'SQ') {
    const encoding = element.vr === 'UN' ? implicit : source.encoding;
    const items = itemsBytes(reading, { ...source, encoding }, element, end);
    if (!items && tag !== iconImageTag) throw new NotReEncodable();
    return items && Buffer.concat([encodeElementHeader(tag, 'SQ', items.length, source.into), items]);
  }
  if (length === undefinedLength) {
    skipFragments(reading, source.encoding, end);
    return undefined;
  }
  reading.position = start + length;
  const stored = reading.bytes.subarray(start, start + length);
  const value = evenly(source.encoding.littleEndian ? stored : swapBytes(stored, wordSizeOf(vr)), vr);
  return Buffer.concat([encodeElementHeader(tag, vr, value.length, source.into), value]);
};

const vrOf = ({ vr, length }: ElementHeader, { isSigned }: Source): string => {
  if (vr === 'UN' && length === undefinedLength) return 'SQ';
  if (vr === 'US|SS') return isSigned ? 'SS' : 'US';
  return vr.includes('|') ? 'OW' : vr;
};

/** The items of a sequence, or undefined if one of them holds compressed pixels. */
const itemsBytes = (
  reading: Reading,
  source: Source,
  { start, length }: ElementHeader,
  outerEnd: number,
): Buffer | undefined => {
  const isDelimited = length === undefinedLength;
  const end = isDelimited ? outerEnd : start + length;
  const items: (Buffer | undefined)[] = [];
  while (isDelimited || reading.position < end) {
    const item = readElementHeader(reading, source.encoding, end, isDelimited ? sequenceDelimitationTag : undefined);
    if (item.tag === sequenceDelimitationTag) break;
    items.push(itemBytes(reading, { ...source }, item, end));
  }
  const complete = items.filter((item) => item !== undefined);
  return complete.length === items.length ? Buffer.concat(complete) : undefined;
};

const itemBytes = (
  reading: Reading,
  source: Source,
  { start, length }: ElementHeader,
  outerEnd: number,
): Buffer | undefined => {
  const isDelimited = length === undefinedLength;
  const end = isDelimited ? outerEnd : start + length;
  const written: WrittenElements = new Map();
  let isWhole = true;
  while (isDelimited || reading.position < end) {
    const element = readElementHeader(reading, source.encoding, end, isDelimited ? itemDelimitationTag : undefined);
    if (element.tag === itemDelimitationTag) break;
    if (element.length === undefinedLength && isBinary(element.vr) && element.vr !== 'UN') isWhole = false;
    putElement(written, reading, source, element, end);
  }
  const elements = inOrder(written);
  return isWhole ? Buffer.concat([implicitHeader(itemTag, elements.length), elements]) : undefined;
};

const skipFragments = (reading: Reading, encoding: Encoding, end: number): void => {
  for (;;) {
    const fragment = readElementHeader(reading, encoding, end, sequenceDelimitationTag);
    if (fragment.tag === sequenceDelimitationTag) return;
    reading.position = fragment.start + fragment.length;
  }
};

/** Values must have an even length (PS3.5 §7.1.1), but not every file complies. */
const evenly = (bytes: Buffer, vr: string): Buffer => {
  if (bytes.length % 2 === 0) return bytes;
  const isPaddedWithZero = isBinary(vr) || vr === 'UI';
  return Buffer.concat([bytes, Buffer.from([isPaddedWithZero ? 0 : 0x20])]);
};
