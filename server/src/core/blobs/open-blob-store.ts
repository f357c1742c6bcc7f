import { join } from 'node:path';
import { type BlobStore, StorageAway } from '#core/blob-store.ts';
import { type Config, ConfigError } from '#core/config.ts';
import { type EncryptedBlobStore, encryptedBlobStore, type RawStore } from './encrypted-blob-store.ts';
import { encryptedName } from './files.ts';
import { openLocalBlobStore } from './local-blob-store.ts';
import { assertKeys, keysNote, notedIds, storageKeysOf } from './storage-keys.ts';
import type { Storage } from './storage-url.ts';
import { twoPartStore } from './two-part-store.ts';

type Settings = Pick<Config, 'storage' | 'dataDir' | 'storageCacheBytes' | 'storageKeys'>;

/** A store as the archive sees it, and what it is made of. */
export type OpenStorage = {
  blobs: BlobStore;
  plain: RawStore;
  /** Undefined where there are no keys. */
  parts: { written: BlobStore; other: BlobStore; encrypted: EncryptedBlobStore } | undefined;
  /** Of the keys that are needed once all is as the settings ask for. */
  currentIds: string[];
};

/**
 * Opens the store of the archive that STORAGE_URL names: a folder or an object store. Throws a ConfigError when an
 * object store cannot be written to, or files are encrypted with a key that is not there.
 */
export const openBlobStore = async (settings: Settings): Promise<BlobStore> => (await openStorage(settings)).blobs;

/** As `openBlobStore`, for those who move files between the parts. */
export const openStorage = async (settings: Settings): Promise<OpenStorage> => {
  const { storage, dataDir, storageCacheBytes, storageKeys } = settings;
  const keys = storageKeysOf(storageKeys);
  // Copies are of what is written now: while that is encrypted, nothing else is copied to this machine's disk.
  const cacheOf = (isEncrypted: boolean) => ((keys?.current !== undefined) === isEncrypted ? storageCacheBytes : 0);
  const folder = join(dataDir, 'object-store');
  const plain = await openPart(storage, { folder, cacheBytes: cacheOf(false) });
  try {
    assertKeys(await plain.note(keysNote), keys);
    if (!keys) return { blobs: plain, plain, parts: undefined, currentIds: [] };
    const currentIds = keys.current ? [keys.current.id] : [];
    const part = { folder: join(folder, encryptedName), cacheBytes: cacheOf(true), isEncrypted: true };
    const encrypted = encryptedBlobStore(await openPart(encryptedPartOf(storage), part), keys, () =>
      noteKeys(plain, (ids) => [...ids, ...currentIds]),
    );
    const [written, other] = keys.current ? [encrypted, plain] : [plain, encrypted];
    const blobs = twoPartStore({ written, other, plain });
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
  const { openS3BlobStore } = await import('./s3-blob-store.ts');
  try {
    return await openS3BlobStore(storage, local);
  } catch (error) {
    if (!(error instanceof StorageAway)) throw error;
    throw new ConfigError(
      `Radwork cannot start: the bucket ${storage.bucket} at ${storage.endpoint} cannot be used (${error.reason}).`,
    );
  }
};

/** Changes, for good, which keys the store says that it needs. Another server may do the same at this moment. */
export const noteKeys = async (plain: RawStore, change: (ids: readonly string[]) => readonly string[]) => {
  const noted = notedIds(await plain.note(keysNote));
  const wanted = [...new Set(change(noted))];
  if (wanted.join(' ') !== noted.join(' ')) await plain.writeNote(keysNote, wanted.join(' '));
};
