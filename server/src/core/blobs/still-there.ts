import { type BlobStore, StorageAway } from '#core/blob-store.ts';

/**
 * Throws where a store does not say whose it is, as one that is in use does: its disk has gone, and what is not found is
 * not lost but will be there again with it. Asked by whoever is about to call files missing, or gone for good.
 */
export const assertStillThere = async (blobs: Pick<BlobStore, 'owner'>): Promise<void> => {
  if ((await blobs.owner()) === undefined) throw new StorageAway('it is not what it was');
};
