import type { ExactRead } from './byte-window.ts';
import { DicomError, truncated } from './dicom-error.ts';
import { tagAt, uint32, defaultLimits } from './reading.ts';
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
  /** True if NULs stand where the delimiter belongs. */
  isEndBlank?: true;
};

const itemHeaderLength = 8;
const damaged = () => new DicomError('imageDamaged');

/**
 * Walks over the fragments of encapsulated pixel data from `start`. Reads only item headers and the offset table.
 * Throws TRUNCATED when a fragment exceeds the file.
 */
export const readFragments = async (read: ExactRead, start: number, size: number): Promise<EncapsulatedPixels> => {
  const table = await itemAt(read, start);
  if (typeof table === 'string' || table.length > 4 * defaultLimits.fragments) throw damaged();
  const tableStart = start + itemHeaderLength;
  const basicOffsetTable = uint32s(await read(tableStart, table.length));

  const first = tableStart + table.length;
  const fragments: Fragment[] = [];
  for (let at = first; at + itemHeaderLength <= size;) {
    const item = await itemAt(read, at);
    if (item === 'end') return { basicOffsetTable, fragments, end: at + itemHeaderLength };
    if (item === 'blank') {
      await refuseLostEnd(read, fragments);
      return { basicOffsetTable, fragments, end: at + itemHeaderLength, isEndBlank: true };
    }
    const offset = at + itemHeaderLength;
    if (offset + item.length > size) throw truncated();
    if (fragments.length === defaultLimits.fragments) {
      throw new DicomError('tooManyFragments');
    }
    fragments.push({ offset, length: item.length, itemOffset: at - first });
    at = offset + item.length;
  }
  return { basicOffsetTable, fragments, end: undefined };
};

/** Bytes at the end of a frame that are never all NULs. */
const endOfFrame = 16;

/**
 * Refuses a file whose end is lost. If NULs stand in place of the delimiter, the end may be lost. In that case the last
 * fragment also ends with NULs, or is missing.
 */
const refuseLostEnd = async (read: ExactRead, fragments: readonly Fragment[]): Promise<void> => {
  const last = fragments.findLast(({ length }) => length > 0);
  if (!last) throw truncated();
  const checked = Math.min(endOfFrame, last.length);
  const bytes = await read(last.offset + last.length - checked, checked);
  if (bytes.every((byte) => byte === 0)) throw truncated();
};

/** The item at this offset, "end" for the delimiter, or "blank" for NULs in its place. */
const itemAt = async (read: ExactRead, at: number): Promise<{ length: number } | 'end' | 'blank'> => {
  const header = await read(at, itemHeaderLength);
  const tag = tagAt(header, 0, true);
  const length = uint32(header, 4, true);
  if (tag === sequenceDelimitationTag) return 'end';
  if (tag === '00000000' && length === 0) return 'blank';
  if (tag !== itemTag || length === undefinedLength) throw damaged();
  return { length };
};

const uint32s = (bytes: Buffer): number[] =>
  Array.from({ length: Math.floor(bytes.length / 4) }, (_, index) => bytes.readUInt32LE(4 * index));
