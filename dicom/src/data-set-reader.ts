import { characterSetOf, type CharacterSet } from './character-set.ts';
import type { DicomElement, DicomJson } from './dataset.ts';
import { DicomError } from './dicom-error.ts';
import {
  demand,
  passOver,
  readElementHeader,
  spend,
  tagAt,
  vrOf,
  warn,
  type ElementHeader,
  type Encoding,
  type Reading,
} from './element-reader.ts';
import { inlineBinary, valuesOfBytes } from './element-value.ts';
import { type Extent, extentOf, passFragments } from './nesting.ts';
import {
  isBinary,
  itemDelimitationTag,
  itemTag,
  sequenceDelimitationTag,
  undefinedLength,
  vrs,
  wordSizeOf,
} from './vr.ts';

/** What an element needs to know of the data set it is in. Items start with what holds around them. */
export type DataSetContext = {
  encoding: Encoding;
  characterSet: CharacterSet;
  /** Decides what "US or SS" is (PS3.5 §A.1). */
  isSigned: boolean;
  /** Where the data set is: "" or, in the first item of a sequence, "00081140/1/". */
  path: string;
};

export const rootContext = (reading: Reading, encoding: Encoding): DataSetContext => ({
  encoding,
  characterSet: declaredCharacterSet(reading, ''),
  isSigned: false,
  path: '',
});

const declaredCharacterSet = (reading: Reading, declared: string): CharacterSet => {
  const misfit = 'Some text is not in the character set that the file declares.';
  const { decode } = characterSetOf(declared, () => warn(reading, misfit));
  return {
    decode: (bytes, delimiters) => {
      spend(reading, 'textBytes', bytes.length);
      return decode(bytes, delimiters);
    },
  };
};

/**
 * Reads the element whose header has just been read into the data set. Group lengths are dropped; of an element
 * that is there twice, the first one counts.
 */
export const addElement = (
  reading: Reading,
  context: DataSetContext,
  json: DicomJson,
  header: ElementHeader,
  end: number,
): void => {
  const { tag } = header;
  if (tag.startsWith('FFFE')) throw new DicomError('STRUCTURE', 'The header of the file is damaged.');
  const element = readElement(reading, context, header, end);
  if (tag.endsWith('0000')) return;
  if (json[tag]) return warn(reading, 'An element is there twice; the first one counts.');

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
    passFragments(reading, context.encoding, end, passOver);
    return bulkValue(reading, context, header, vr);
  }
  throw new DicomError('LENGTH', 'The header of the file is damaged: an element has no end.');
};

/**
 * The VR where the header leaves it open. UN is what a sender writes that did not know the element: this side may
 * know it, and with undefined length it is a sequence in implicit VR (PS3.5 §6.2.2).
 */
const actualVr = (reading: Reading, context: DataSetContext, header: ElementHeader): string => {
  if (header.length === undefinedLength && header.vr === 'UN') return 'SQ';
  const vr = header.vr === 'UN' ? retypedVr(reading, header) : header.vr;
  if (vr === 'US|SS') return context.isSigned ? 'SS' : 'US';
  return vr.includes('|') ? 'OW' : vr;
};

const retypedVr = (reading: Reading, header: ElementHeader): string => {
  const vr = vrOf(header.tag);
  if (vr !== 'SQ' || header.length === 0) return vr;
  demand(reading, header.start + Math.min(header.length, 4));
  return header.length >= 8 && tagAt(reading.bytes, header.start, true) === itemTag ? 'SQ' : 'UN';
};

/** Values longer than this many bytes stay in the file: of bytes, of numbers, of text. */
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
    passOver(reading, length);
    return bulkValue(reading, context, header, vr);
  }
  demand(reading, start + length, start);
  reading.position = start + length;
  const { bytes } = reading;
  const end = start + length;
  const { littleEndian } = context.encoding;
  const values = valuesOfBytes(vr, { bytes, start, end, littleEndian, characterSet: context.characterSet });
  if (!values) return { vr, InlineBinary: inlineBinary(vr, bytes.subarray(start, end), littleEndian) };
  spend(reading, 'values', values.length);
  return values.length > 0 ? { vr, Value: values } : { vr };
};

/** Leaves the bytes from the start of the value to the position in the file, and says where they are. */
const bulkValue = (reading: Reading, context: DataSetContext, header: ElementHeader, vr: string): DicomElement => {
  const uri = `bulkdata/${context.path}${header.tag}`;
  reading.bulk.push({ uri, vr, offset: header.start, length: reading.position - header.start });
  return { vr, BulkDataURI: uri };
};

/** Recursion ends at the depth limit, long before the stack does. */
const readSequence = (reading: Reading, context: DataSetContext, header: ElementHeader, end: number): DicomElement => {
  if (reading.depth >= reading.limits.depth) {
    throw new DicomError('LIMIT', 'The header of the file is nested deeper than an archive can take.');
  }
  reading.depth += 1;
  const extent = extentOf(header, end);
  const items: DicomJson[] = [];
  while (extent.isDelimited || reading.position < extent.end) {
    const item = readElementHeader(reading, context.encoding, extent.end);
    if (extent.isDelimited && item.tag === sequenceDelimitationTag) break;
    if (item.tag !== itemTag) throw new DicomError('STRUCTURE', 'The header of the file is damaged.');
    const path = `${context.path}${header.tag}/${items.length + 1}/`;
    items.push(readItem(reading, { ...context, path }, extentOf(item, extent.end)));
  }
  reading.depth -= 1;
  return items.length > 0 ? { vr: 'SQ', Value: items } : { vr: 'SQ' };
};

const readItem = (reading: Reading, context: DataSetContext, extent: Extent): DicomJson => {
  const json: DicomJson = {};
  while (extent.isDelimited || reading.position < extent.end) {
    const header = readElementHeader(reading, context.encoding, extent.end);
    if (extent.isDelimited && header.tag === itemDelimitationTag) break;
    addElement(reading, context, json, header, extent.end);
  }
  return json;
};
