import type { ReadBytes } from '@radwork/dicom/byte-window';
import { numberOf } from '@radwork/dicom/dataset';
import { DicomError, NeedMoreBytes } from '@radwork/dicom/dicom-error';
import { type Header, readHeader } from '@radwork/dicom/header';
import { readFactsElsewhere } from './facts-thread.ts';
import { type FileFacts, factsOf } from './file-facts.ts';

/** What is read here at once: a few milliseconds' work, and the headers of nearly all files. */
const littleHeader = 64 << 10;
const littleInflated = 128 << 10;
const fewFrames = 2000;

/**
 * Reads what the archive has to know of a file. Files with large headers, compressed ones and those of very many frames
 * are read in a thread of their own, so that nobody else waits for them. Throws DicomError when the file is refused.
 */
export const readFacts = async (read: ReadBytes, size: number, tenantId: number): Promise<FileFacts> => {
  const header = headerOf(await read(0, Math.min(littleHeader, size)), size);
  return header && hasFewFrames(header) ? factsOf(header, read, size) : readFactsElsewhere(read, size, tenantId);
};

/** The header, unless it takes more than little. */
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
