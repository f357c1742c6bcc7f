import type { Encoding } from './reading.ts';
import { implementationClassUid, implementationVersionName } from './implementation.ts';
import type { RawDataSet, RawElement } from './raw-data-set.ts';
import { preambleLength } from './recognize-file.ts';
import { explicitLittleEndian } from './transfer-syntax.ts';
import { hasLongLength, itemTag, undefinedLength } from './vr.ts';

/** Bytes in pieces, so that long values are copied only once, when they are joined. */
type Pieces = { parts: Uint8Array[]; length: number };

/** Encodes ASCII text. Other characters are not allowed here. */
const bytesOf = (text: string): Uint8Array => Uint8Array.from(text, (character) => character.charCodeAt(0));

const preamble = Uint8Array.of(...new Uint8Array(preambleLength), ...bytesOf('DICM'));

/** Encodes ASCII text as a value of even length: UIDs are padded with NUL, the rest with a space (PS3.5 §6.2). */
export const asciiValue = (text: string, vr: string): Uint8Array =>
  bytesOf(text.length % 2 === 0 ? text : `${text}${vr === 'UI' ? '\0' : ' '}`);

/**
 * Writes a data set in an encoding (PS3.5 §7). Values must already be in the byte order of this encoding. Sequences and
 * items get lengths. A sequence that was read as UN stays UN, in implicit VR (§6.2.2).
 */
export const writeDataSet = (dataSet: RawDataSet, encoding: Encoding): Uint8Array<ArrayBuffer> =>
  joined(dataSetPieces(dataSet, encoding));

/**
 * Writes the start of a file: preamble, "DICM" and new meta information (PS3.10 §7.1). The old meta information is
 * dropped, because applications write names and places there.
 */
export const writeFileStart = (file: {
  transferSyntaxUID: string;
  sopClassUID: string;
  sopInstanceUID: string;
}): Uint8Array<ArrayBuffer> => {
  const uid = (tag: string, value: string): RawElement => ({ tag, vr: 'UI', value: asciiValue(value, 'UI') });
  const group = writeDataSet(
    [
      { tag: '00020001', vr: 'OB', value: Uint8Array.of(0, 1) },
      uid('00020002', file.sopClassUID),
      uid('00020003', file.sopInstanceUID),
      uid('00020010', file.transferSyntaxUID),
      uid('00020012', implementationClassUid),
      { tag: '00020013', vr: 'SH', value: asciiValue(implementationVersionName, 'SH') },
    ],
    explicitLittleEndian,
  );
  const length = writeDataSet([{ tag: '00020000', vr: 'UL', value: uint32(group.length, true) }], explicitLittleEndian);
  return joined(withLength([preamble, length, group]));
};

const withLength = (parts: Uint8Array[]): Pieces => ({
  parts,
  length: parts.reduce((sum, { length }) => sum + length, 0),
});

const joined = ({ parts, length }: Pieces): Uint8Array<ArrayBuffer> => {
  const bytes = new Uint8Array(length);
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
};

const dataSetPieces = (dataSet: RawDataSet, encoding: Encoding): Pieces => {
  const all: Pieces = { parts: [], length: 0 };
  for (const element of dataSet) append(all, elementPieces(element, encoding));
  return all;
};

const append = (all: Pieces, { parts, length }: Pieces): void => {
  for (const part of parts) all.parts.push(part);
  all.length += length;
};

const elementPieces = (element: RawElement, encoding: Encoding): Pieces => {
  const value = valuePieces(element, encoding);
  const length = element.isEncapsulated ? undefinedLength : value.length;
  const all = withLength([elementHeader(element, length, encoding)]);
  append(all, value);
  return all;
};

const valuePieces = ({ vr, value }: RawElement, encoding: Encoding): Pieces => {
  if (value instanceof Uint8Array) return withLength([value]);
  const inside = vr === 'UN' ? { explicit: false, littleEndian: true } : encoding;
  const all: Pieces = { parts: [], length: 0 };
  for (const item of value) {
    const content = dataSetPieces(item, inside);
    append(all, withLength([tagBytes(itemTag, inside.littleEndian), uint32(content.length, inside.littleEndian)]));
    append(all, content);
  }
  return all;
};

const elementHeader = ({ tag, vr }: RawElement, length: number, { explicit, littleEndian }: Encoding): Uint8Array => {
  const start = tagBytes(tag, littleEndian);
  if (!explicit) return joined(withLength([start, uint32(length, littleEndian)]));
  if (hasLongLength(vr)) return joined(withLength([start, bytesOf(`${vr}\0\0`), uint32(length, littleEndian)]));
  if (length > 0xffff) throw new RangeError(`${tag} ${vr} holds at most 65,535 bytes, not ${length}`);
  return joined(withLength([start, bytesOf(vr), uint16(length, littleEndian)]));
};

const tagBytes = (tag: string, littleEndian: boolean): Uint8Array =>
  joined(
    withLength([uint16(parseInt(tag.slice(0, 4), 16), littleEndian), uint16(parseInt(tag.slice(4), 16), littleEndian)]),
  );

const uint16 = (value: number, littleEndian: boolean): Uint8Array =>
  littleEndian ? Uint8Array.of(value & 0xff, value >> 8) : Uint8Array.of(value >> 8, value & 0xff);

const uint32 = (value: number, littleEndian: boolean): Uint8Array => {
  const bytes = new Uint8Array(4);
  new DataView(bytes.buffer).setUint32(0, value, littleEndian);
  return bytes;
};
