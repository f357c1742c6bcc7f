import { join } from 'node:path';
import { type BlobStore, StorageUnavailable } from './blob-store.ts';
import { ConfigError } from '#core/config/config-error.ts';
import type { Config } from '#core/config/config.ts';
import { type EncryptedBlobStore, encryptedBlobStore, type RawStore } from './encrypted-blob-store.ts';
import { encryptedName } from './disk/file-system.ts';
import { openLocalBlobStore } from './disk/local-blob-store.ts';
import { assertKeys, keyIdsNote, recordedKeyIds, storageKeysOf } from './storage-keys.ts';
import type { Storage } from './storage-url.ts';
import { openTwoPartStore } from './two-part-store.ts';

type Settings = Pick<Config, 'storage' | 'dataDir' | 'storageCacheBytes' | 'storageKeys'>;

/** The store for the archive, and its parts. */
export type OpenStorage = {
  blobs: BlobStore;
  plain: RawStore;
  /** Undefined when the settings contain no storage keys. */
  parts: { written: BlobStore; other: BlobStore; encrypted: EncryptedBlobStore } | undefined;
  /** Ids of the keys that are still needed after all files were converted to the current settings. */
  currentIds: string[];
};

/**
 * Opens the store named by STORAGE_URL: a folder or an object store. Throws ConfigError when an object store is not
 * writable, or when the key of encrypted files is missing.
 */
export const openBlobStore = async (settings: Settings): Promise<BlobStore> => (await openStorage(settings)).blobs;

/** Opens the store and its parts, for callers that move files between the parts. */
export const openStorage = async (settings: Settings): Promise<OpenStorage> => {
  const { storage, dataDir, storageCacheBytes, storageKeys } = settings;
  const keys = storageKeysOf(storageKeys);
  // Caches only the kind of file that is written now. With encryption on, no plain copy is written to the local disk.
  const cacheOf = (isEncrypted: boolean) => ((keys?.current !== undefined) === isEncrypted ? storageCacheBytes : 0);
  const folder = join(dataDir, 'object-store');
  const plain = await openPart(storage, { folder, cacheBytes: cacheOf(false) });
  try {
    assertKeys(await plain.note(keyIdsNote), keys);
    if (!keys) return { blobs: plain, plain, parts: undefined, currentIds: [] };
    const currentIds = keys.current ? [keys.current.id] : [];
    const part = { folder: join(folder, encryptedName), cacheBytes: cacheOf(true), isEncrypted: true };
    const encrypted = encryptedBlobStore(await openPart(encryptedPartOf(storage), part), keys, () =>
      recordKeyIds(plain, (ids) => [...ids, ...currentIds]),
    );
    const [written, other] = keys.current ? [encrypted, plain] : [plain, encrypted];
    const blobs = openTwoPartStore({ written, other, plain });
    return { blobs, plain, parts: { written, other, encrypted }, currentIds };
  } catch (error) {
    await plain.close();
    throw error;
  }
};

const encryptedPartOf = (storage: Storage): Storage =>
  storage.kind === 'local'
    ? { ...storage, folder: join(storage.folder, encryptedName) }
    : { ...storage, prefix: [storage.prefix, encryptedName].filter(Boolean).join('/') };

type LocalPart = { folder: string; cacheBytes: number; isEncrypted?: boolean };

const openPart = async (storage: Storage, local: LocalPart): Promise<RawStore> => {
  if (storage.kind === 'local') return openLocalBlobStore(storage.folder);
  const { openS3BlobStore } = await import('./s3/s3-blob-store.ts');
  try {
    return await openS3BlobStore(storage, local);
  } catch (error) {
    if (!(error instanceof StorageUnavailable)) throw error;
    throw new ConfigError(
      `Radwork cannot start: the bucket ${storage.bucket} at ${storage.endpoint} cannot be used (${error.reason}).`,
    );
  }
};

/** Changes the list of needed keys in the store. Two servers may do this at the same time. */
export const recordKeyIds = async (plain: RawStore, change: (ids: readonly string[]) => readonly string[]) => {
  const noted = recordedKeyIds(await plain.note(keyIdsNote));
  const keyIds = [...new Set(change(noted))];
  if (keyIds.join(' ') !== noted.join(' ')) await plain.writeNote(keyIdsNote, keyIds.join(' '));
};
