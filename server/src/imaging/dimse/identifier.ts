import { type Encoder, encoderOf } from '@radwork/dicom/character-set';
import type { DicomJson } from '@radwork/dicom/dataset';
import { DicomError, NeedMoreBytes } from '@radwork/dicom/dicom-error';
import { defaultLimits, startReading } from '@radwork/dicom/reading';
import { type Elements, type ElementValue, writeDataSet } from '@radwork/dicom/part10';
import { readRootDataSet } from '@radwork/dicom/root-data-set';
import { explicitLittleEndian, implicitLittleEndian } from '@radwork/dicom/transfer-syntax';

/** The bytes of an identifier are not a data set. */
export class BadIdentifier extends Error {
  override readonly name = 'BadIdentifier';
}

/** Transfer syntaxes for queries and their answers. */
export const identifierSyntaxes = [explicitLittleEndian.uid, implicitLittleEndian.uid];

export const mostIdentifierBytes = 1 << 20;

/** A query may contain a list of UIDs (PS3.4 §C.2.2.2.2), where a file has only one. */
const identifierLimits = {
  ...defaultLimits,
  depth: 8,
  elements: 10_000,
  values: 100_000,
  headerBytes: mostIdentifierBytes,
  identityBytes: mostIdentifierBytes,
};

/** Decodes the identifier of a query or an answer. Throws BadIdentifier for malformed bytes. */
export const readIdentifier = (bytes: Buffer, transferSyntaxUID: string): DicomJson => {
  const explicit = transferSyntaxUID !== implicitLittleEndian.uid;
  try {
    const reading = startReading(bytes, bytes.length, identifierLimits);
    const { dataset } = readRootDataSet(reading, { explicit, littleEndian: true });
    // Refuses a key whose value is too long. Without its value, the key would match everything. Binary values, such as
    // icons in answers, are not keys.
    if (reading.bulk.some(({ vr }) => !isBinary(vr))) {
      throw new BadIdentifier('A value of the identifier is too long. Shorten it.');
    }
    return dataset;
  } catch (error) {
    if (error instanceof DicomError || error instanceof NeedMoreBytes)
      throw new BadIdentifier('The identifier cannot be read.');
    throw error;
  }
};

const isBinary = (vr: string): boolean => vr.startsWith('O') || vr === 'UN';

/**
 * Encodes an identifier. Text outside ASCII is written in a character set that the other side declared (`understood`)
 * if possible. Otherwise it is UTF-8, which older devices may show wrongly (PS3.3 §C.12.1.1.2).
 */
export const writeIdentifier = (elements: Elements, transferSyntaxUID: string, understood = ''): Buffer => {
  if (textsIn(elements).every(isAscii)) return writeDataSet(transferSyntaxUID, elements);
  const encoder = encoderOf(understood);
  const encoded = encoder && encodedIn(elements, encoder);
  const [name, encodedElements] = encoder && encoded ? [encoder.name, encoded] : ['ISO_IR 192', elements];
  return writeDataSet(transferSyntaxUID, { SpecificCharacterSet: name, ...encodedElements });
};

const isAscii = (text: string): boolean => /^[\0-\x7f]*$/.test(text);

const isItem = (value: unknown): value is Elements => typeof value === 'object' && !Buffer.isBuffer(value);

/** All texts of a data set, including those of its items. */
const textsIn = (elements: Elements): string[] =>
  Object.values(elements).flatMap((value) =>
    [value].flat().flatMap((one) => {
      if (isItem(one)) return textsIn(one);
      return typeof one === 'string' ? [one] : [];
    }),
  );

/** The elements with encoded texts. Undefined when the encoder lacks a character. */
const encodedIn = (elements: Elements, encoder: Encoder): Elements | undefined => {
  const encoded: Record<string, ElementValue> = {};
  for (const [keyword, value] of Object.entries(elements)) {
    const encodedValue = valueIn(value, encoder);
    if (encodedValue === undefined && value !== undefined) return undefined;
    encoded[keyword] = encodedValue;
  }
  return encoded;
};

const valueIn = (value: ElementValue, encoder: Encoder): ElementValue => {
  const values = [value].flat();
  if (values.some(isItem)) {
    const items = values.filter(isItem).map((item) => encodedIn(item, encoder));
    return items.every((item) => item !== undefined) ? items : undefined;
  }
  const texts = values.filter((one) => typeof one === 'string');
  if (texts.every(isAscii)) return value;
  const bytes = encoder.encode(texts.join('\\'));
  return bytes && Buffer.from(bytes);
};
