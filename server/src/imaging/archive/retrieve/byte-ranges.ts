import type { FrameRanges } from '@radwork/dicom/frame-ranges';
import type { ReadBytes } from '@radwork/dicom/byte-window';

/** Number of bytes in one piece. It is a multiple of every word size, so that no word is split. */
const readAtOnce = 4 << 20;

/**
 * Yields bytes in pieces of a few megabytes, so that a long value is never whole in memory. Throws when bytes are
 * missing.
 */
export async function* readInChunks(read: ReadBytes, offset: number, length: number): AsyncGenerator<Buffer> {
  for (let at = 0; at < length; at += readAtOnce) {
    const chunkLength = Math.min(readAtOnce, length - at);
    const bytes = await read(offset + at, chunkLength);
    if (bytes.length < chunkLength) throw new Error('A stored file is truncated');
    yield bytes;
  }
}

/**
 * Treats `ranges` as one sequence of bytes. Returns the ranges of the file that contain `length` bytes of this
 * sequence, from `offset` on.
 */
export const within = (ranges: FrameRanges, offset: number, length: number): FrameRanges => {
  const result: FrameRanges = [];
  let start = 0;
  for (const [at, size] of ranges) {
    const from = Math.max(offset, start);
    const to = Math.min(offset + length, start + size);
    if (from < to) result.push([at + from - start, to - from]);
    start += size;
  }
  return result;
};
