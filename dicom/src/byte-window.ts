import { truncated } from './dicom-error.ts';

/** Reads bytes of a file, or of an inflated data set. Returns fewer bytes than requested only at the end. */
export type ReadBytes = (offset: number, length: number) => Promise<Buffer>;

/** Reads exactly the requested bytes. Throws TRUNCATED when the file ends before them. */
export type ExactRead = ReadBytes;

const windowLength = 4096;

/** Reads 4 KiB at a time, so that walking over small headers needs few reads. */
export const withReadAhead = (read: ReadBytes, size: number): ExactRead => {
  let window: Buffer = Buffer.alloc(0);
  let start = 0;
  return async (offset, length) => {
    if (offset + length > size) throw truncated();
    if (offset < start || offset + length > start + window.length) {
      window = await read(offset, Math.min(size - offset, Math.max(length, windowLength)));
      start = offset;
      if (window.length < length) throw truncated();
    }
    return window.subarray(offset - start, offset - start + length);
  };
};
