import { join } from 'node:path';
import { type BlobStore, StorageAway } from '#core/blob-store.ts';
import { type Config, ConfigError } from '#core/config.ts';
import { openLocalBlobStore } from './local-blob-store.ts';

/**
 * Opens the store of the archive that STORAGE_URL names: a folder or an object store. Throws a ConfigError when an
 * object store cannot be written to.
 */
export const openBlobStore = async ({
  storage,
  dataDir,
  storageCacheBytes,
}: Pick<Config, 'storage' | 'dataDir' | 'storageCacheBytes'>): Promise<BlobStore> => {
  if (storage.kind === 'local') return openLocalBlobStore(storage.folder);
  const { openS3BlobStore } = await import('./s3-blob-store.ts');
  try {
    return await openS3BlobStore(storage, { folder: join(dataDir, 'object-store'), cacheBytes: storageCacheBytes });
  } catch (error) {
    if (!(error instanceof StorageAway)) throw error;
    throw new ConfigError(
      `Radwork cannot start: the bucket ${storage.bucket} at ${storage.endpoint} cannot be used (${error.reason}).`,
    );
  }
};
