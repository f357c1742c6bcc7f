import type { ReadBytes } from '@radwork/dicom/byte-window';
import { NeedMoreBytes, truncated } from '@radwork/dicom/dicom-error';
import { defaultLimits, headerTooLong } from '@radwork/dicom/reading';
import { deflatedDataSet, type Header, readHeader } from '@radwork/dicom/header';
import { inflateInBackground } from '@radwork/dicom/inflate';

/** Number of bytes that is enough for the headers of nearly all files. */
const firstAttempt = 64 << 10;
/** Maximum number of bytes to read after a long value, in addition to those known to be needed. */
const behindLongValue = 128 << 10;
/** Number of elements and values that may be parsed more than once. Parsing them takes less than a second. */
const littleEffort = 1_000_000;
/** Maximum number of bytes read from a file. */
const mostRead = 2 * defaultLimits.headerBytes;

/**
 * Reads the header of a file from its beginning, and skips long values. A deflated file is unpacked outside the main
 * thread. Throws DicomError when the file is refused.
 */
export const readHeaderOf = async (read: ReadBytes, fileSize: number): Promise<Header> => {
  const beginning = createBeginning(read, fileSize);
  let bytes = await beginning.reachTo({ from: 0, to: Math.min(firstAttempt, fileSize) });
  let effort = 0;
  for (;;) {
    try {
      const deflated = deflatedDataSet(bytes, { fileSize });
      const inflated = deflated && (await inflateInBackground(deflated, defaultLimits.inflatedBytes));
      return readHeader(bytes, { fileSize, ...(inflated && { inflated }) });
    } catch (error) {
      if (!(error instanceof NeedMoreBytes) || bytes.length >= error.next.to) throw error;
      effort += error.effort;
      bytes = await beginning.reachTo(error.next, effort > littleEffort);
    }
  }
};

/**
 * Holds the part of the file read so far, with zeros for the skipped values. The system allocates memory for the zeros
 * only when they are written.
 */
const createBeginning = (read: ReadBytes, fileSize: number) => {
  const ranges: WrittenRange[] = [];
  let space: Buffer = Buffer.alloc(0);
  let end = 0;
  let readInAll = 0;
  return {
    /**
     * Continues reading at `from`, at least up to `to`. Reads twice as much each time, so that few attempts are needed.
     * After a long value it reads only a little, unless attempts have become expensive (`isDear`).
     */
    reachTo: async ({ from, to }: NeedMoreBytes['next'], isDear = false): Promise<Buffer> => {
      const isFar = from - end > behindLongValue;
      const more = isFar && !isDear ? Math.min(readInAll, behindLongValue) : readInAll;
      const next = Math.min(fileSize, Math.max(to, from + Math.min(more, mostRead - readInAll)));
      readInAll += next - from;
      if (readInAll > mostRead) throw headerTooLong(defaultLimits);
      const bytes = await read(from, next - from);
      if (bytes.length < next - from) throw truncated();
      // Nearly all files need only this first read.
      if (from === 0) space = bytes;
      else {
        if (next > space.length) space = enlarged(space, ranges, Math.min(fileSize, Math.max(next, 2 * space.length)));
        bytes.copy(space, from);
      }
      ranges.push({ from, to: next });
      end = next;
      return space.subarray(0, end);
    },
  };
};

type WrittenRange = { from: number; to: number };

/**
 * Returns the same bytes in a larger buffer. Copies only the written parts, because copying zeros would allocate memory
 * for the zeros.
 */
const enlarged = (space: Buffer, ranges: readonly WrittenRange[], length: number): Buffer => {
  const larger = Buffer.alloc(length);
  for (const { from, to } of ranges) space.copy(larger, from, from, to);
  return larger;
};
