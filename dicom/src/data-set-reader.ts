import { characterSetOf, type CharacterSet } from './character-set.ts';
import type { DicomElement, DicomJson } from './dataset.ts';
import { DicomError } from './dicom-error.ts';
import { tagsOfTextNumbers } from './dictionary.ts';
import { readElementHeader } from './element-reader.ts';
import {
  requireBytes,
  skipBytes,
  countEffort,
  tagAt,
  vrOf,
  warn,
  type ElementHeader,
  type Encoding,
  type Reading,
} from './reading.ts';
import { inlineBinary, valuesOfBytes } from './element-value.ts';
import { delimiterOf, type Extent, extentOf, skipFragments } from './nesting.ts';
import {
  isBinary,
  itemDelimitationTag,
  itemTag,
  sequenceDelimitationTag,
  undefinedLength,
  vrs,
  wordSizeOf,
} from './vr.ts';

/**
 * Properties of a data set that are needed to read its elements. Each item starts with the properties of the data set
 * around it.
 */
export type DataSetContext = {
  encoding: Encoding;
  characterSet: CharacterSet;
  /** Decides whether a VR of "US or SS" is US or SS (PS3.5 §A.1). */
  isSigned: boolean;
  /** The path of the data set: "", or "00081140/1/" for the first item of a sequence. */
  path: string;
};

export const rootContext = (reading: Reading, encoding: Encoding): DataSetContext => ({
  encoding,
  characterSet: declaredCharacterSet(reading, ''),
  isSigned: false,
  path: '',
});

const declaredCharacterSet = (reading: Reading, declared: string): CharacterSet => {
  const misfit = 'Some text does not match the character set of the file.';
  const { decode } = characterSetOf(declared, () => warn(reading, misfit));
  return {
    decode: (bytes, delimiters) => {
      countEffort(reading, 'textBytes', bytes.length);
      return decode(bytes, delimiters);
    },
  };
};

/**
 * Reads the element after its header into the data set. Group lengths are dropped. If an element occurs twice, its
 * first occurrence counts.
 */
export const addElement = (
  reading: Reading,
  context: DataSetContext,
  json: DicomJson,
  header: ElementHeader,
  end: number,
): void => {
  const { tag } = header;
  if (tag.startsWith('FFFE')) throw new DicomError('headerDamaged');
  const element = readElement(reading, context, header, end);
  if (tag.endsWith('0000')) return;
  if (json[tag]) return warn(reading, 'An element appears twice; the first one is used.');

  json[tag] = element;
  if (tag === '00080005') {
    const names = element.Value?.map((name) => (typeof name === 'string' ? name : '')) ?? [];
    context.characterSet = declaredCharacterSet(reading, names.join('\\'));
  }
  if (tag === '00280103') context.isSigned = element.Value?.[0] === 1;
};

const readElement = (reading: Reading, context: DataSetContext, header: ElementHeader, end: number): DicomElement => {
  const vr = actualVr(reading, context, header);
  if (vr === 'SQ') {
    const isUnknown = header.vr === 'UN';
    const encoding = isUnknown ? { explicit: false, littleEndian: true } : context.encoding;
    return readSequence(reading, { ...context, encoding }, header, end);
  }
  if (header.length !== undefinedLength) return readValue(reading, context, header, vr);
  if (isBinary(vr)) {
    skipFragments(reading, context.encoding, end, skipBytes);
    return bulkValue(reading, context, header, vr);
  }
  throw new DicomError('endlessElement');
};

/**
 * Determines the VR if the header does not define it. UN means that the sender did not know the element, but PS3.6 may
 * define it. UN with undefined length is a sequence in implicit VR (PS3.5 §6.2.2).
 */
const actualVr = (reading: Reading, context: DataSetContext, header: ElementHeader): string => {
  if (header.length === undefinedLength && header.vr === 'UN') return 'SQ';
  const vr = header.vr === 'UN' ? retypedVr(reading, header) : numericVr(reading, header);
  if (vr === 'US|SS') return context.isSigned ? 'SS' : 'US';
  return vr.includes('|') ? 'OW' : vr;
};

const texts = new Set(['LO', 'LT', 'SH', 'ST', 'UC', 'UT']);

/** Some devices write numbers with the VR of a text. In a text, "\" does not separate numbers. */
const numericVr = (reading: Reading, { tag, vr, length }: ElementHeader): string => {
  if (!texts.has(vr)) return vr;
  const known = tagsOfTextNumbers.get(tag);
  if (known === undefined || length > longestInJson.bytes) return vr;
  warn(reading, 'A number is written with the value representation of a text.');
  return known;
};

const retypedVr = (reading: Reading, header: ElementHeader): string => {
  const vr = vrOf(header.tag);
  if (vr !== 'SQ' || header.length === 0) return vr;
  requireBytes(reading, header.start + Math.min(header.length, 4));
  return header.length >= 8 && tagAt(reading.bytes, header.start, true) === itemTag ? 'SQ' : 'UN';
};

/** The longest values in JSON, in bytes: binary, numbers, text. Longer values stay in the file. */
const longestInJson = { bytes: 1024, numbers: 8192, text: 65_536 };

const longestOfVr = (vr: string): number => {
  if (isBinary(vr)) return longestInJson.bytes;
  return wordSizeOf(vr) > 1 ? longestInJson.numbers : longestInJson.text;
};

const longestValues = new Map(vrs.map((vr) => [vr, longestOfVr(vr)]));

const readValue = (reading: Reading, context: DataSetContext, header: ElementHeader, vr: string): DicomElement => {
  const { start, length } = header;
  if (length === 0) return { vr };
  if (length > (longestValues.get(vr) ?? longestInJson.text)) {
    skipBytes(reading, length);
    return bulkValue(reading, context, header, vr);
  }
  requireBytes(reading, start + length, start);
  reading.position = start + length;
  const { bytes } = reading;
  const end = start + length;
  const { littleEndian } = context.encoding;
  const values = valuesOfBytes(vr, { bytes, start, end, littleEndian, characterSet: context.characterSet });
  if (!values) return { vr, InlineBinary: inlineBinary(vr, bytes.subarray(start, end), littleEndian) };
  countEffort(reading, 'values', values.length);
  return values.length > 0 ? { vr, Value: values } : { vr };
};

/** Leaves the value in the file and records its place. */
const bulkValue = (reading: Reading, context: DataSetContext, header: ElementHeader, vr: string): DicomElement => {
  const uri = `bulkdata/${context.path}${header.tag}`;
  reading.bulk.push({ uri, vr, offset: header.start, length: reading.position - header.start });
  return { vr, BulkDataURI: uri };
};

/** The depth limit stops the recursion long before the stack is full. */
const readSequence = (reading: Reading, context: DataSetContext, header: ElementHeader, end: number): DicomElement => {
  if (reading.depth >= reading.limits.depth) {
    throw new DicomError('nestedTooDeeply');
  }
  reading.depth += 1;
  const extent = extentOf(header, end);
  const items: DicomJson[] = [];
  while (extent.isDelimited || reading.position < extent.end) {
    const item = readElementHeader(reading, context.encoding, extent.end, delimiterOf(extent, sequenceDelimitationTag));
    if (extent.isDelimited && item.tag === sequenceDelimitationTag) break;
    if (item.tag !== itemTag) throw new DicomError('headerDamaged');
    const path = `${context.path}${header.tag}/${items.length + 1}/`;
    items.push(readItem(reading, { ...context, path }, extentOf(item, extent.end)));
  }
  reading.depth -= 1;
  return items.length > 0 ? { vr: 'SQ', Value: items } : { vr: 'SQ' };
};

const readItem = (reading: Reading, context: DataSetContext, extent: Extent): DicomJson => {
  const json: DicomJson = {};
  while (extent.isDelimited || reading.position < extent.end) {
    const header = readElementHeader(reading, context.encoding, extent.end, delimiterOf(extent, itemDelimitationTag));
    if (extent.isDelimited && header.tag === itemDelimitationTag) break;
    addElement(reading, context, json, header, extent.end);
  }
  return json;
};
