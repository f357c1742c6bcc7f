import type { ReadBytes } from '@radwork/dicom/byte-window';
import type { BlobStore } from '#core/blob-store.ts';
import type { StoredInstance } from './objects.ts';
import { readHeaderOf } from './read-header.ts';

/** A value longer than this is nothing that a header should hold. */
const longestBulk = 64 << 20;

/**
 * The bytes of a value that was too long for the metadata, by the reference that the header reader gave it
 * ("bulkdata/00281201"). The header is read again: such values are rare, and their places are not worth keeping.
 */
export const readBulk = async (
  blobs: BlobStore,
  tenantId: number,
  { sha256, size }: Pick<StoredInstance, 'sha256' | 'size'>,
  uri: string,
): Promise<Buffer | undefined> => {
  const read: ReadBytes = (offset, length) => blobs.read(tenantId, sha256, offset, length);
  const { bulk, inflated } = await readHeaderOf(read, size);
  const place = bulk.find((value) => value.uri === uri);
  if (!place || place.length > longestBulk) return undefined;
  return inflated ? inflated.subarray(place.offset, place.offset + place.length) : read(place.offset, place.length);
};
