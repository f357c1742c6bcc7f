import { truncated } from './dicom-error.ts';

/** Reads bytes of a file, or of an inflated data set, from an offset; fewer than asked for only at its end. */
export type ReadBytes = (offset: number, length: number) => Promise<Buffer>;

/** Like ReadBytes, but exactly the bytes asked for: throws TRUNCATED where the file has fewer. */
export type ExactRead = ReadBytes;

const windowLength = 4096;

/** Reads a few thousand bytes at a time, so that walking from one small header to the next costs few reads. */
export const windowed = (read: ReadBytes, size: number): ExactRead => {
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
