import type { ReadBytes } from '@radwork/dicom/byte-window';
import { NeedMoreBytes, truncated } from '@radwork/dicom/dicom-error';
import { defaultLimits, headerTooLong } from '@radwork/dicom/element-reader';
import { deflatedDataSet, type Header, readHeader } from '@radwork/dicom/header';
import { inflateInBackground } from '@radwork/dicom/inflate';

/** Enough for the headers of nearly all files. */
const firstAttempt = 64 << 10;
/** What is read behind a long value, at most, beyond what is known to be looked at. */
const behindLongValue = 128 << 10;
/** Elements and values that may be read more than once on the way: less than a second's work. */
const littleEffort = 1_000_000;
/** What is read of a file in all. */
const mostRead = 2 * defaultLimits.headerBytes;

/**
 * Reads a file's header from as much of its beginning as that takes, without the long values that it only passes over; a
 * deflated file is unpacked beside the main thread. Throws DicomError when the file is refused.
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
 * The beginning of a file as far as it has been read, with nothing but zeros where it was passed over: the system has no
 * memory behind those until somebody writes there.
 */
const createBeginning = (read: ReadBytes, fileSize: number) => {
  const written: Written[] = [];
  let space: Buffer = Buffer.alloc(0);
  let end = 0;
  let readInAll = 0;
  return {
    /**
     * Reads on from `from`, as much again as before, so that few attempts are made, and at least to `to`. Far behind
     * what has been read it reads little, unless attempts have become dear (`isDear`).
     */
    reachTo: async ({ from, to }: NeedMoreBytes['next'], isDear = false): Promise<Buffer> => {
      const isFar = from - end > behindLongValue;
      const more = isFar && !isDear ? Math.min(readInAll, behindLongValue) : readInAll;
      const next = Math.min(fileSize, Math.max(to, from + Math.min(more, mostRead - readInAll)));
      readInAll += next - from;
      if (readInAll > mostRead) throw headerTooLong(defaultLimits);
      const bytes = await read(from, next - from);
      if (bytes.length < next - from) throw truncated();
      // Nearly all files are done with what was read first.
      if (from === 0) space = bytes;
      else {
        if (next > space.length) space = enlarged(space, written, Math.min(fileSize, Math.max(next, 2 * space.length)));
        bytes.copy(space, from);
      }
      written.push({ from, to: next });
      end = next;
      return space.subarray(0, end);
    },
  };
};

type Written = { from: number; to: number };

/** The same in more space. To copy what is between that was written would be to write there. */
const enlarged = (space: Buffer, written: readonly Written[], length: number): Buffer => {
  const larger = Buffer.alloc(length);
  for (const { from, to } of written) space.copy(larger, from, from, to);
  return larger;
};
