import { documentTypeOf } from './document-types.ts';
import { readSwapped } from '@radwork/dicom/byte-order';
import type { ReadBytes } from '@radwork/dicom/byte-window';
import { tagOf } from '@radwork/dicom/dictionary';
import { wordSizeOf } from '@radwork/dicom/vr';
import type { BlobStore } from '#core/blobs/blob-store.ts';
import type { StoredInstance } from '#imaging/archive/dicomweb/stored-instances.ts';
import { readHeaderOf } from '#imaging/archive/header/read-header.ts';

/** A value too long for the metadata: its length, a way to read it, and the media type of a document. */
export type Bulk = { length: number; read: ReadBytes; mediaType?: string | undefined };

/** Maximum number of bytes in memory. No caller needs a longer value in one piece. */
const longestBulk = 64 << 20;

/**
 * Finds a long value by its reference in the header ("bulkdata/00281201"). Reads the header again. Such values are
 * rarely requested, so their positions are not stored.
 */
export const openBulk = async (
  blobs: BlobStore,
  tenantId: number,
  { sha256, size }: Pick<StoredInstance, 'sha256' | 'size'>,
  uri: string,
): Promise<Bulk | undefined> => {
  const read: ReadBytes = (offset, length) => blobs.read(tenantId, sha256, offset, length);
  const { bulk, dataset, inflated, littleEndian } = await readHeaderOf(read, size);
  const place = bulk.find((value) => value.uri === uri);
  if (!place) return undefined;
  const readData: ReadBytes = inflated ? async (offset, length) => inflated.subarray(offset, offset + length) : read;
  // Returns little endian, as for short values and frames, even if the file is big endian (PS3.18 §8.7.3).
  const wordSize = littleEndian ? 1 : wordSizeOf(place.vr);
  return {
    length: place.length - (place.length % wordSize),
    mediaType: uri === documentUri ? documentTypeOf(dataset) : undefined,
    read:
      wordSize === 1
        ? (offset, length) => readData(place.offset + offset, length)
        : readSwapped(readData, place.offset, wordSize),
  };
};

const documentUri = `bulkdata/${tagOf('EncapsulatedDocument')}`;

/** Returns the bytes of a long value; undefined when the value is missing or too long for memory. */
export const readBulk = async (...where: Parameters<typeof openBulk>): Promise<Buffer | undefined> => {
  const bulk = await openBulk(...where);
  return bulk && bulk.length <= longestBulk ? bulk.read(0, bulk.length) : undefined;
};
