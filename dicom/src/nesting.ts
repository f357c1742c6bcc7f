import { DicomError } from './dicom-error.ts';
import { readElementHeader } from './element-reader.ts';
import type { ElementHeader, Encoding, Reading } from './reading.ts';
import type { Tag } from './dictionary.ts';
import { itemTag, sequenceDelimitationTag, undefinedLength } from './vr.ts';

/** The end of a sequence or item: `end`, or earlier at a delimiter. */
export type Extent = { end: number; isDelimited: boolean };

export const extentOf = (header: ElementHeader, end: number): Extent =>
  header.length === undefinedLength
    ? { end, isDelimited: true }
    : { end: header.start + header.length, isDelimited: false };

/** The delimiter that ends a sequence or item. Undefined if its length gives the end. */
export const delimiterOf = ({ isDelimited }: Extent, delimiter: Tag): Tag | undefined =>
  isDelimited ? delimiter : undefined;

/**
 * Skips encapsulated pixel data below the root, such as an icon, and its delimiter. `pass` skips the bytes of a
 * fragment.
 */
export const skipFragments = <Bytes extends Uint8Array>(
  reading: Reading<Bytes>,
  encoding: Encoding,
  end: number,
  pass: (reading: Reading<Bytes>, length: number) => void,
): void => {
  for (;;) {
    const fragment = readElementHeader(reading, encoding, end, sequenceDelimitationTag);
    if (fragment.tag === sequenceDelimitationTag) return;
    if (fragment.tag !== itemTag || fragment.length === undefinedLength) {
      throw new DicomError('headerDamaged');
    }
    pass(reading, fragment.length);
  }
};
