import { promisify } from 'node:util';
import { inflateRaw, inflateRawSync, type ZlibOptions } from 'node:zlib';
import { DicomError, truncated } from './dicom-error.ts';

/** Inflates a deflated data set (PS3.5 §A.5). Stops when the output exceeds `mostBytes`. */
export const inflateDataSet = (deflated: Buffer, mostBytes: number): Buffer => {
  try {
    return inflateRawSync(deflated, { ...options, maxOutputLength: mostBytes });
  } catch (error) {
    throw refusalOf(error, mostBytes);
  }
};

/** Inflates in a background thread, because a large data set would block the main thread noticeably. */
export const inflateInBackground = (deflated: Buffer, mostBytes: number): Promise<Buffer> =>
  inflateAsync(deflated, { ...options, maxOutputLength: mostBytes }).catch((error: unknown) => {
    throw refusalOf(error, mostBytes);
  });

const options = { chunkSize: 65_536 };
const inflateAsync = promisify<Buffer, ZlibOptions, Buffer>(inflateRaw);

const refusalOf = (error: unknown, mostBytes: number): unknown => {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code === 'ERR_BUFFER_TOO_LARGE') {
    return new DicomError({ kind: 'inflatedTooLarge', mebibytes: mostBytes >> 20 });
  }
  if (code === 'Z_BUF_ERROR') return truncated();
  if (code === 'Z_DATA_ERROR') return new DicomError('deflatedPartDamaged');
  return error;
};
