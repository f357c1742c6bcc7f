import type { ReadBytes } from '@radwork/dicom/byte-window';
import { numberOf } from '@radwork/dicom/dataset';
import { DicomError, NeedMoreBytes } from '@radwork/dicom/dicom-error';
import { type Header, readHeader } from '@radwork/dicom/header';
import { readFactsElsewhere } from './facts-thread.ts';
import { type FileFacts, factsOf } from './file-facts.ts';

/** Limits for reading in the main thread: a few milliseconds of work. Nearly all files are within them. */
const littleHeader = 64 << 10;
const littleInflated = 128 << 10;
const fewFrames = 2000;

/**
 * Reads the facts that the archive needs from a file. Large headers, compressed files and files with many frames are
 * read in another thread, so that other requests do not wait. Throws DicomError when the file is refused.
 */
export const readFacts = async (read: ReadBytes, size: number, tenantId: number): Promise<FileFacts> => {
  const header = headerOf(await read(0, Math.min(littleHeader, size)), size);
  return header && hasFewFrames(header) ? factsOf(header, read, size) : readFactsElsewhere(read, size, tenantId);
};

/** Returns the header. Undefined if reading it exceeds the limits of the main thread. */
const headerOf = (bytes: Buffer, fileSize: number): Header | undefined => {
  try {
    return readHeader(bytes, { fileSize, limits: { inflatedBytes: littleInflated } });
  } catch (error) {
    const isLarge = error instanceof NeedMoreBytes || (error instanceof DicomError && error.code === 'BOMB');
    if (isLarge) return undefined;
    throw error;
  }
};

const hasFewFrames = ({ dataset }: Header): boolean => (numberOf(dataset, 'NumberOfFrames') ?? 1) <= fewFrames;
