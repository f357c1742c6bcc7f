import { deflateRawSync } from 'node:zlib';
import { entryOf, tagOf, type Tag } from './dictionary.ts';
import { implementationClassUid, implementationVersionName } from './implementation.ts';
import { transferSyntaxOf } from './transfer-syntax.ts';
import { hasLongLength, itemTag, sequenceDelimitationTag, undefinedLength, wordSizeOf } from './vr.ts';

type Single = string | number;

/**
 * A value to write: text, numbers, items of a sequence, or raw bytes (little endian). AT values are tags as text,
 * "00181063". undefined writes nothing, and [] writes an empty element.
 */
export type ElementValue = Single | readonly Single[] | readonly Elements[] | Buffer | undefined;

/** A data set by keyword, { PatientName: 'A^B' }. Private elements use tag and VR, { '00091001 LO': 'x' }. */
export type Elements = { readonly [keyword: string]: ElementValue };

export type Part10 = {
  transferSyntaxUID: string;
  dataset: Elements;
  /** Native pixel data (little endian) as one buffer, or compressed frames with one buffer each. */
  pixelData?: Buffer | readonly Buffer[];
};

type Encoding = { explicit: boolean; littleEndian: boolean; pixelRepresentation: number };
type Element = { tag: Tag; vr: string; value: ElementValue };

export { implementationClassUid, implementationVersionName };

const itemHeaderSize = 8;
const preamble = Buffer.concat([Buffer.alloc(128), Buffer.from('DICM')]);

/**
 * Writes a DICOM file (PS3.10) in any transfer syntax: implicit, big endian and deflated too. An array of frames is
 * encapsulated with a Basic Offset Table (PS3.5 §A.4). Text is UTF-8, and SpecificCharacterSet declares it. If the data
 * set names another set, its text must be given as bytes.
 */
export const writePart10 = ({ transferSyntaxUID, dataset, pixelData }: Part10): Buffer => {
  const syntax = transferSyntaxOf(transferSyntaxUID);
  if (!syntax) throw new RangeError(`${transferSyntaxUID} is not a known transfer syntax`);
  const encoding = { ...syntax, pixelRepresentation: Number(dataset['PixelRepresentation'] ?? 0) };
  const elements = Buffer.concat([
    writeElements({ SpecificCharacterSet: 'ISO_IR 192', ...dataset }, encoding),
    writePixelData(pixelData, Number(dataset['BitsAllocated'] ?? 8), encoding),
  ]);
  return Buffer.concat([
    writeFileStart(transferSyntaxUID, dataset),
    syntax.deflated ? padded(deflateRawSync(elements), 0) : elements,
  ]);
};

/**
 * Writes a data set alone, as for DIMSE, in an uncompressed transfer syntax. Text is UTF-8; the caller must declare it.
 */
export const writeDataSet = (transferSyntaxUID: string, dataset: Elements): Buffer => {
  const syntax = transferSyntaxOf(transferSyntaxUID);
  if (!syntax || syntax.deflated) throw new RangeError(`${transferSyntaxUID} is not an uncompressed transfer syntax`);
  return writeElements(dataset, { ...syntax, pixelRepresentation: Number(dataset['PixelRepresentation'] ?? 0) });
};

/** Writes preamble and meta information (PS3.10 §7.1). Uses only the SOP class and instance UID of the data set. */
export const writeFileStart = (transferSyntaxUID: string, dataset: Elements): Buffer => {
  const encoding = { explicit: true, littleEndian: true, pixelRepresentation: 0 };
  const group = writeElements(
    {
      FileMetaInformationVersion: Buffer.from([0, 1]),
      MediaStorageSOPClassUID: dataset['SOPClassUID'],
      MediaStorageSOPInstanceUID: dataset['SOPInstanceUID'],
      TransferSyntaxUID: transferSyntaxUID,
      ImplementationClassUID: implementationClassUid,
      ImplementationVersionName: implementationVersionName,
    },
    encoding,
  );
  return Buffer.concat([preamble, writeElements({ FileMetaInformationGroupLength: group.length }, encoding), group]);
};

const writeElements = (elements: Elements, encoding: Encoding): Buffer =>
  Buffer.concat(
    Object.entries(elements)
      .filter(([, value]) => value !== undefined)
      .map(([key, value]) => elementOf(key, value, encoding))
      .toSorted((one, other) => (one.tag < other.tag ? -1 : 1))
      .map((element) => writeElement(element, encoding)),
  );

const elementOf = (key: string, value: ElementValue, encoding: Encoding): Element => {
  const [privateTag = '', privateVr] = key.split(' ');
  if (privateVr) return { tag: privateTag, vr: privateVr, value };
  const tag = tagOf(key);
  return { tag, vr: chosenVr(entryOf(tag)?.vr ?? 'UN', value, encoding), value };
};

/** Selects among several VRs of PS3.6 by value and pixels. */
const chosenVr = (vr: string, value: ElementValue, encoding: Encoding): string => {
  if (vr === 'US|SS') return encoding.pixelRepresentation === 1 ? 'SS' : 'US';
  if (vr === 'US|OW') return Buffer.isBuffer(value) ? 'OW' : 'US';
  return vr === 'OB|OW' ? 'OW' : vr;
};

const writeElement = ({ tag, vr, value }: Element, encoding: Encoding): Buffer => {
  const bytes = vr === 'SQ' ? writeItems(value, encoding) : writeValue(vr, value, encoding);
  return Buffer.concat([writeElementHeader(tag, vr, bytes.length, encoding), bytes]);
};

const writeElementHeader = (tag: Tag, vr: string, length: number, encoding: Encoding): Buffer => {
  if (!encoding.explicit) return Buffer.concat([tagBytes(tag, encoding), number('UL', length, encoding)]);
  if (hasLongLength(vr)) {
    return Buffer.concat([tagBytes(tag, encoding), Buffer.from(`${vr}\0\0`), number('UL', length, encoding)]);
  }
  if (length > 0xffff) throw new RangeError(`${tag} ${vr} holds at most 65,535 bytes, not ${length}`);
  return Buffer.concat([tagBytes(tag, encoding), Buffer.from(vr), number('US', length, encoding)]);
};

const writeItems = (value: ElementValue, encoding: Encoding): Buffer => {
  if (!Array.isArray(value)) throw new TypeError('A sequence requires an array of items');
  return Buffer.concat(
    value.map((item: Elements) => {
      const bytes = writeElements(item, encoding);
      return Buffer.concat([tagBytes(itemTag, encoding), number('UL', bytes.length, encoding), bytes]);
    }),
  );
};

const writeValue = (vr: string, value: ElementValue, encoding: Encoding): Buffer => {
  if (Buffer.isBuffer(value)) return padded(inByteOrder(value, wordSizeOf(vr), encoding), isText(vr) ? 0x20 : 0);
  const values = [value].flat().filter((single) => typeof single === 'string' || typeof single === 'number');
  if (vr === 'AT') return Buffer.concat(values.map((tag) => tagBytes(String(tag), encoding)));
  if (vr in numberWriters) return Buffer.concat(values.map((single) => number(vr, Number(single), encoding)));
  const texts = values.map((single) => (vr === 'DS' ? decimalString(single) : String(single)));
  return padded(Buffer.from(texts.join('\\')), isText(vr) ? 0x20 : 0);
};

const isText = (vr: string): boolean => vr !== 'UI' && wordSizeOf(vr) === 1 && !['OB', 'UN'].includes(vr);

/** A number in at most 16 characters, as exact as possible (PS3.5 §6.2, DS). */
const decimalString = (value: Single): string => {
  const text = String(value);
  for (let digits = 15; text.length > 16 && typeof value === 'number' && digits > 0; digits -= 1) {
    const shorter = String(Number(value.toPrecision(digits)));
    if (shorter.length <= 16) return shorter;
  }
  return text;
};

const numberWriters: Record<string, (bytes: Buffer, value: number) => void> = {
  US: (bytes, value) => bytes.writeUInt16LE(value),
  SS: (bytes, value) => bytes.writeInt16LE(value),
  UL: (bytes, value) => bytes.writeUInt32LE(value),
  SL: (bytes, value) => bytes.writeInt32LE(value),
  FL: (bytes, value) => bytes.writeFloatLE(value),
  FD: (bytes, value) => bytes.writeDoubleLE(value),
  UV: (bytes, value) => bytes.writeBigUInt64LE(BigInt(value)),
  SV: (bytes, value) => bytes.writeBigInt64LE(BigInt(value)),
};

const number = (vr: string, value: number, encoding: Encoding): Buffer => {
  const bytes = Buffer.alloc(wordSizeOf(vr));
  numberWriters[vr]?.(bytes, value);
  return inByteOrder(bytes, bytes.length, encoding);
};

const tagBytes = (tag: Tag, encoding: Encoding): Buffer =>
  Buffer.concat([tag.slice(0, 4), tag.slice(4)].map((half) => number('US', parseInt(half, 16), encoding)));

/** Converts little-endian bytes to the byte order of the encoding. */
const inByteOrder = (bytes: Buffer, wordSize: number, encoding: Encoding): Buffer => {
  if (encoding.littleEndian || wordSize === 1) return bytes;
  const turned = Buffer.from(bytes);
  if (wordSize === 2) return turned.swap16();
  return wordSize === 4 ? turned.swap32() : turned.swap64();
};

const padded = (bytes: Buffer, padding: number): Buffer =>
  bytes.length % 2 === 0 ? bytes : Buffer.concat([bytes, Buffer.from([padding])]);

const writePixelData = (pixelData: Part10['pixelData'], bitsAllocated: number, encoding: Encoding): Buffer => {
  if (!pixelData) return Buffer.alloc(0);
  const tag = tagOf('PixelData');
  if (Buffer.isBuffer(pixelData)) {
    return writeElement({ tag, vr: bitsAllocated > 8 ? 'OW' : 'OB', value: pixelData }, encoding);
  }
  return Buffer.concat([writeElementHeader(tag, 'OB', undefinedLength, encoding), encapsulated(pixelData, encoding)]);
};

/** Writes each frame as one fragment, after the table of their offsets (PS3.5 §A.4). */
const encapsulated = (frames: readonly Buffer[], encoding: Encoding): Buffer => {
  const fragments = frames.map((frame) => padded(frame, 0));
  let offset = 0;
  const offsets = fragments.map((fragment) => {
    const start = number('UL', offset, encoding);
    offset += itemHeaderSize + fragment.length;
    return start;
  });
  return Buffer.concat([
    ...[Buffer.concat(offsets), ...fragments].flatMap((bytes) => [
      tagBytes(itemTag, encoding),
      number('UL', bytes.length, encoding),
      bytes,
    ]),
    tagBytes(sequenceDelimitationTag, encoding),
    number('UL', 0, encoding),
  ]);
};
