import { type BlobStore, StorageUnavailable } from './blob-store.ts';

/**
 * Throws when the store names no owner although it is in use. Its disk is then missing, but its files are not lost.
 * Call this before files are reported missing or deleted.
 */
export const assertStorePresent = async (blobs: Pick<BlobStore, 'owner'>): Promise<void> => {
  if ((await blobs.owner()) === undefined)
    throw new StorageUnavailable('the mark of the store is missing; its disk may not be mounted');
};
