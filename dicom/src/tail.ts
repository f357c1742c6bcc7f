import type { ReadBytes } from './byte-window.ts';
import { DicomError, NeedMoreBytes } from './dicom-error.ts';
import { defaultLimits, startReading, type Encoding } from './reading.ts';
import { readRootDataSet } from './root-data-set.ts';

const longestTail = 1 << 20;

/**
 * Checks the first MiB after the pixel data: signatures, private elements, padding or invalid bytes. Invalid bytes are
 * harmless, but an unclosed sequence shows a truncated file. Returns warnings.
 */
export const checkTail = async (read: ReadBytes, encoding: Encoding, end: number, size: number): Promise<string[]> => {
  if (end >= size) return [];
  const bytes = await read(end, Math.min(size - end, longestTail));
  const reading = startReading(bytes, size - end, { ...defaultLimits, headerBytes: Number.MAX_SAFE_INTEGER });
  try {
    readRootDataSet(reading, encoding);
    return [...reading.warnings];
  } catch (error) {
    if (error instanceof NeedMoreBytes) return [];
    if (error instanceof DicomError && reading.depth === 0) return ['Data that is not DICOM follows the image.'];
    throw error;
  }
};
