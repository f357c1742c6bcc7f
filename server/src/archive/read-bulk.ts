import { turningRound } from '@radwork/dicom/byte-order';
import type { ReadBytes } from '@radwork/dicom/byte-window';
import { wordSizeOf } from '@radwork/dicom/vr';
import type { BlobStore } from '#core/blob-store.ts';
import type { StoredInstance } from './objects.ts';
import { readHeaderOf } from './read-header.ts';

/** A value that was too long for the metadata: how long it is, and a way to read of it. */
export type Bulk = { length: number; read: ReadBytes };

/** A value longer than this is nothing that is needed as a whole. */
const longestBulk = 64 << 20;

/**
 * Finds a long value by the reference that the header reader gave it ("bulkdata/00281201"). The header is read again:
 * such values are rare, and their places are not worth keeping.
 */
export const openBulk = async (
  blobs: BlobStore,
  tenantId: number,
  { sha256, size }: Pick<StoredInstance, 'sha256' | 'size'>,
  uri: string,
): Promise<Bulk | undefined> => {
  const read: ReadBytes = (offset, length) => blobs.read(tenantId, sha256, offset, length);
  const { bulk, inflated, littleEndian } = await readHeaderOf(read, size);
  const place = bulk.find((value) => value.uri === uri);
  if (!place) return undefined;
  const readData: ReadBytes = inflated ? async (offset, length) => inflated.subarray(offset, offset + length) : read;
  // As short values and frames are: in little endian, whatever the file has (PS3.18 §8.7.3).
  const wordSize = littleEndian ? 1 : wordSizeOf(place.vr);
  return {
    length: place.length - (place.length % wordSize),
    read:
      wordSize === 1
        ? (offset, length) => readData(place.offset + offset, length)
        : turningRound(readData, place.offset, wordSize),
  };
};

/** The bytes of such a value, undefined where there is none or it is too long to be held in memory. */
export const readBulk = async (...where: Parameters<typeof openBulk>): Promise<Buffer | undefined> => {
  const bulk = await openBulk(...where);
  return bulk && bulk.length <= longestBulk ? bulk.read(0, bulk.length) : undefined;
};
