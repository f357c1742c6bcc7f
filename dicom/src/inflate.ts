import { inflateRawSync } from 'node:zlib';
import { DicomError, truncated } from './dicom-error.ts';

/**
 * Unpacks a deflated data set (PS3.5 §A.5). The output is counted while it grows, so a file that would unpack to
 * more than `mostBytes` costs no more than that.
 */
export const inflateDataSet = (deflated: Buffer, mostBytes: number): Buffer => {
  try {
    return inflateRawSync(deflated, { maxOutputLength: mostBytes, chunkSize: 65_536 });
  } catch (error) {
    throw refusalOf(error, mostBytes);
  }
};

const refusalOf = (error: unknown, mostBytes: number): unknown => {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code === 'ERR_BUFFER_TOO_LARGE') {
    return new DicomError('BOMB', `The file is compressed and unpacks to more than ${mostBytes >> 20} MiB.`);
  }
  if (code === 'Z_BUF_ERROR') return truncated();
  if (code === 'Z_DATA_ERROR') return new DicomError('STRUCTURE', 'The compressed part of the file is damaged.');
  return error;
};
