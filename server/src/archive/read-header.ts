import type { ReadBytes } from '@radwork/dicom/byte-window';
import { NeedMoreBytes } from '@radwork/dicom/dicom-error';
import { defaultLimits } from '@radwork/dicom/element-reader';
import { deflatedDataSet, type Header, readHeader } from '@radwork/dicom/header';
import { inflateInBackground } from '@radwork/dicom/inflate';

/** Enough for the headers of nearly all files. */
const firstAttempt = 64 << 10;

/**
 * Reads a file's header from as much of its beginning as that takes; a deflated file is unpacked beside the main
 * thread. Throws DicomError when the file is refused.
 */
export const readHeaderOf = async (read: ReadBytes, fileSize: number): Promise<Header> => {
  let wanted = firstAttempt;
  for (;;) {
    const bytes = await read(0, Math.min(wanted, fileSize));
    try {
      const deflated = deflatedDataSet(bytes, { fileSize });
      const inflated = deflated && (await inflateInBackground(deflated, defaultLimits.inflatedBytes));
      return readHeader(bytes, { fileSize, ...(inflated && { inflated }) });
    } catch (error) {
      if (!(error instanceof NeedMoreBytes) || bytes.length >= error.wanted) throw error;
      wanted = error.wanted;
    }
  }
};
