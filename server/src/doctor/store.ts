import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdtemp, open, rm, stat, statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openStorage } from '#core/blobs/open-blob-store.ts';
import { triedWith } from '#core/blobs/disk/file-system.ts';
import { assertKeys, keyIdsNote, StorageKeyMissing, storageKeysOf } from '#core/blobs/storage-keys.ts';
import { storedFilesOfBothParts } from '#core/blobs/disk/list-stored-files.ts';
import { ConfigError } from '#core/config/config-error.ts';
import type { Config } from '#core/config/config.ts';
import type { Database } from '#core/database/database.ts';
import { copiedDatabase, isCopied } from '#core/installation/copied-database.ts';
import { markOfDatabase, readRestoreMark, unfinishedRestore } from '#core/installation/restore-mark.ts';
import { installationIn, reasonAgainstStore, type StoreFacts } from '#core/installation/store-ownership.ts';
import { codeOf, type Finding, ok, warning, wrong } from './finding.ts';

/** A sync to disk that takes more than this number of seconds is slow. Each upload waits for several syncs. */
const slowSync = 0.5;

/**
 * A connection as database owner. Undefined when the database does not respond, and "new" when it does not exist yet.
 */
type DatabaseState = Database | 'new' | undefined;

/** Checks whether images can be stored durably, and whether the store belongs to this database. */
export const examineStore = (config: Config, database: DatabaseState): Promise<Finding[]> =>
  config.storage.kind === 'local'
    ? examineFolder(config.storage.folder, config, database)
    : examineObjectStore(config, database);

const isNew = async (database: Database | 'new'): Promise<boolean> =>
  database === 'new' || (await installationIn(database)) === undefined;

const examineFolder = async (folder: string, config: Config, database: DatabaseState): Promise<Finding[]> => {
  if (!existsSync(folder)) {
    if (database && (await isNew(database)))
      return [warning('store', 'The image folder does not exist. The first start creates it.')];
    return [wrong('store', 'The image folder does not exist. Mount it, or correct STORAGE_URL or DATA_DIR.')];
  }
  const stored = storedFilesOfBothParts(folder);
  return [
    ...(await judgeOwner(stored, database)),
    ...judgeKeys(config, await stored.note(keyIdsNote)),
    await examineWriting('store', folder),
    await examineSpace(folder, config.freeDiskBytes),
  ];
};

/** Checks the owner of the store as at a start (core/installation/installation.ts). */
const judgeOwner = async (blobs: StoreFacts, database: DatabaseState): Promise<Finding[]> => {
  const check = 'store and database';
  const owner = await blobs.owner();
  const restoreMark = readRestoreMark(owner);
  if (restoreMark) return [wrong(check, unfinishedRestore('storage', restoreMark))];
  if (database === undefined) return [];
  const halfFilled = database === 'new' ? undefined : await markOfDatabase(database);
  if (halfFilled) return [wrong(check, unfinishedRestore('database', halfFilled))];
  const reason = await reasonAgainstStore(database, blobs);
  if (reason !== undefined) return [wrong(check, `Radwork cannot start: ${reason.replaceAll('\n', ' ')}`)];
  if (database !== 'new' && (await isCopied(database))) return [wrong(check, copiedDatabase)];
  if (owner !== undefined) return [ok(check, 'Store and database belong together.')];
  if (await isNew(database)) return [ok(check, 'Store and database are new. The first start links them.')];
  return [
    warning(check, 'The store is not marked for this database. The next start marks it. Then run npm run verify.'),
  ];
};

/** Checks whether the settings contain the keys of all encrypted files. The store lists these keys. */
const judgeKeys = ({ storageKeys }: Config, note: string | undefined): Finding[] => {
  const keys = storageKeysOf(storageKeys);
  try {
    assertKeys(note, keys);
  } catch (error) {
    if (!(error instanceof StorageKeyMissing)) throw error;
    return [keyMissing(error)];
  }
  if (!keys) return [];
  return [
    ok(
      'STORAGE_KEY',
      keys.current
        ? 'Encrypted images can be read. New images are encrypted.'
        : 'Encrypted images can be read. New images are not encrypted, because only STORAGE_KEY_PREVIOUS is set.',
    ),
  ];
};

const keyMissing = ({ message }: StorageKeyMissing): Finding => wrong('STORAGE_KEY', message.replaceAll('\n', ' '));

const unwritable: Record<string, string> = {
  EROFS: 'it is mounted read-only. Mount it with write access.',
  EACCES: 'this user may not write to it. Change its owner.',
  EPERM: 'this user may not write to it. Change its owner.',
  ENOSPC: 'the disk is full.',
  EDQUOT: 'the disk quota of this user is exhausted.',
  ENOTDIR: 'it is not a folder.',
};

/** Writes and removes a small file durably. */
export const examineWriting = async (check: string, folder: string): Promise<Finding> => {
  // Uses this folder, because the next start of the server cleans it if this check crashes.
  const incoming = join(folder, 'incoming');
  const isFolder = await stat(incoming).then(
    (stats) => stats.isDirectory(),
    () => false,
  );
  const path = join(isFolder ? incoming : folder, `${randomUUID()}-doctor`);
  try {
    const began = performance.now();
    const file = await open(path, 'wx', 0o600);
    try {
      await file.writeFile(triedWith);
      await file.sync();
    } finally {
      await file.close();
    }
    const seconds = (performance.now() - began) / 1000;
    if (seconds < slowSync) return ok(check, `The folder is writable. A sync takes ${(seconds * 1000).toFixed(0)} ms.`);
    return warning(check, `A sync takes ${seconds.toFixed(1)} s and slows down uploads. Use a faster disk.`);
  } catch (error) {
    const code = codeOf(error);
    return wrong(check, `The folder is not writable: ${unwritable[code] ?? `writing fails (${code}).`}`);
  } finally {
    await rm(path, { force: true }).catch(() => {});
  }
};

const inGigabytes = (bytes: number): string => `${(bytes / 2 ** 30).toFixed(1)} GB`;

const examineSpace = async (folder: string, freeBytes: number): Promise<Finding> => {
  const { bavail, blocks, bsize } = await statfs(folder);
  const [free, all] = [bavail * bsize, blocks * bsize];
  const words = `${inGigabytes(free)} of ${inGigabytes(all)} free`;
  if (free < freeBytes)
    return wrong('free space', `${words}, less than FREE_DISK_MB: uploads are refused. Free up space.`);
  if (free < all / 10) return warning('free space', `${words}. Free up space, or move to a larger disk.`);
  return ok('free space', `${words}.`);
};

/** Tests the object store as at a start, with a temporary folder for received bytes. */
const examineObjectStore = async (config: Config, database: DatabaseState): Promise<Finding[]> => {
  const dataDir = await mkdtemp(join(tmpdir(), 'radwork-doctor-'));
  try {
    const { blobs, plain } = await openStorage({ ...config, dataDir, storageCacheBytes: 0 });
    try {
      return [
        ...(await judgeOwner(blobs, database)),
        ...judgeKeys(config, await plain.note(keyIdsNote)),
        ok('store', 'The bucket can be written, read and cleaned up.'),
      ];
    } finally {
      await blobs.close();
    }
  } catch (error) {
    if (error instanceof StorageKeyMissing) return [keyMissing(error)];
    const [, words] = /^Radwork cannot start: (.+)$/.exec(error instanceof ConfigError ? error.message : '') ?? [];
    return [
      wrong(
        'store',
        `${words ?? `The object store cannot be used (${codeOf(error)}).`} Check STORAGE_URL, STORAGE_ACCESS_KEY and STORAGE_SECRET_KEY.`,
      ),
    ];
  } finally {
    await rm(dataDir, { recursive: true, force: true });
  }
};
