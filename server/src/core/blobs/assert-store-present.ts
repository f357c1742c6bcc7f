import { type BlobStore, StorageUnavailable } from './blob-store.ts';

/**
 * Throws when the store names no owner although it is in use: its disk is missing, but the files are not lost. Call
 * this before a file is deleted or reported as missing.
 */
export const assertStorePresent = async (blobs: Pick<BlobStore, 'owner'>): Promise<void> => {
  if ((await blobs.owner()) === undefined)
    throw new StorageUnavailable('the mark of the store is missing; its disk may not be mounted');
};
