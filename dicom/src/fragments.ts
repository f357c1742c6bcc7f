import type { ExactRead } from './byte-window.ts';
import { DicomError, truncated } from './dicom-error.ts';
import { tagAt, uint32, defaultLimits } from './element-reader.ts';
import { itemTag, sequenceDelimitationTag, undefinedLength } from './vr.ts';

/**
 * A fragment: the offset and length of its bytes, and the offset of its item from the first fragment's item (PS3.5
 * §A.4).
 */
export type Fragment = { offset: number; length: number; itemOffset: number };

export type EncapsulatedPixels = {
  basicOffsetTable: number[];
  fragments: Fragment[];
  /** The end of the sequence, or undefined when the file ends without the delimiter. */
  end: number | undefined;
};

const itemHeaderLength = 8;
const damaged = () => new DicomError('PIXEL', 'The image in the file is damaged.');

/**
 * Walks over the fragments of encapsulated pixel data from `start`. Reads only item headers and the offset table.
 * Throws TRUNCATED when a fragment exceeds the file.
 */
export const walkFragments = async (read: ExactRead, start: number, size: number): Promise<EncapsulatedPixels> => {
  const table = await itemAt(read, start);
  if (!table || table.length > 4 * defaultLimits.fragments) throw damaged();
  const tableStart = start + itemHeaderLength;
  const basicOffsetTable = uint32s(await read(tableStart, table.length));

  const first = tableStart + table.length;
  const fragments: Fragment[] = [];
  for (let at = first; at + itemHeaderLength <= size;) {
    const item = await itemAt(read, at);
    if (!item) return { basicOffsetTable, fragments, end: at + itemHeaderLength };
    const offset = at + itemHeaderLength;
    if (offset + item.length > size) throw truncated();
    if (fragments.length === defaultLimits.fragments) {
      throw new DicomError('LIMIT', 'The image in the file has too many fragments.');
    }
    fragments.push({ offset, length: item.length, itemOffset: at - first });
    at = offset + item.length;
  }
  return { basicOffsetTable, fragments, end: undefined };
};

/** The item at this offset, or undefined for the delimiter at the end. */
const itemAt = async (read: ExactRead, at: number): Promise<{ length: number } | undefined> => {
  const header = await read(at, itemHeaderLength);
  const tag = tagAt(header, 0, true);
  const length = uint32(header, 4, true);
  if (tag === sequenceDelimitationTag) return undefined;
  if (tag !== itemTag || length === undefinedLength) throw damaged();
  return { length };
};

const uint32s = (bytes: Buffer): number[] =>
  Array.from({ length: Math.floor(bytes.length / 4) }, (_, index) => bytes.readUInt32LE(4 * index));
