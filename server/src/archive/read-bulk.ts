import type { ReadBytes } from '@radwork/dicom/byte-window';
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
  const { bulk, inflated } = await readHeaderOf(read, size);
  const place = bulk.find((value) => value.uri === uri);
  if (!place) return undefined;
  return {
    length: place.length,
    read: async (offset, length) => {
      const at = place.offset + offset;
      return inflated ? inflated.subarray(at, at + length) : read(at, length);
    },
  };
};

/** The bytes of such a value, undefined where there is none or it is too long to be held in memory. */
export const readBulk = async (...where: Parameters<typeof openBulk>): Promise<Buffer | undefined> => {
  const bulk = await openBulk(...where);
  return bulk && bulk.length <= longestBulk ? bulk.read(0, bulk.length) : undefined;
};
