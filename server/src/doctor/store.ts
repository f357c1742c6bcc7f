import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdtemp, open, readFile, rm, stat, statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openStorage } from '#core/blobs/open-blob-store.ts';
import { ignoreMissing, ownerName, triedWith } from '#core/blobs/files.ts';
import { assertKeys, keysNote, StorageKeyMissing, storageKeysOf } from '#core/blobs/storage-keys.ts';
import { type Config, ConfigError } from '#core/config.ts';
import { readRestoreMark, unfinishedRestore } from '#core/installation.ts';
import { codeOf, type Finding, ok, warning, wrong } from './finding.ts';

/** Seconds: each upload waits for the disk several times. */
const slowSync = 0.5;

/** What the database says that it is: an id, or new, that is never started; or unknown, where it does not answer. */
export type Installation = { id: string } | 'new' | 'unknown';

/** Whether images could be stored, are kept by power cuts, and belong to this database. */
export const examineStore = (config: Config, installation: Installation): Promise<Finding[]> =>
  config.storage.kind === 'local'
    ? examineFolder(config.storage.folder, config, installation)
    : examineObjectStore(config, installation);

const examineFolder = async (folder: string, config: Config, installation: Installation): Promise<Finding[]> => {
  if (!existsSync(folder)) {
    if (installation === 'new')
      return [warning('store', 'The folder of the images is not there. The first start makes it.')];
    return [wrong('store', 'The folder of the images is not there. Mount it, or correct STORAGE_URL or DATA_DIR.')];
  }
  const owner = (await readFile(join(folder, ownerName), 'utf8').catch(ignoreMissing))?.trim();
  return [
    ...judgeOwner(owner, installation),
    ...judgeKeys(config, await readFile(join(folder, keysNote), 'utf8').catch(ignoreMissing)),
    await examineWriting('store', folder),
    await examineSpace(folder, config.freeDiskBytes),
  ];
};

const judgeOwner = (owner: string | undefined, installation: Installation): Finding[] => {
  const check = 'store and database';
  const begun = owner === undefined ? undefined : readRestoreMark(owner);
  if (begun) return [wrong(check, unfinishedRestore(begun))];
  if (installation === 'unknown') return [];
  if (owner === undefined && installation === 'new')
    return [ok(check, 'Both are new. The first start brings them together.')];
  if (owner === undefined) {
    return [
      warning(check, 'The store bears no mark of this database. The next start sets it; then see npm run verify.'),
    ];
  }
  if (installation !== 'new' && owner === installation.id) return [ok(check, 'They belong together.')];
  return [wrong(check, 'The store has the files of another database. Correct DATABASE_URL or STORAGE_URL.')];
};

/** Whether the settings have the keys of all files that are encrypted, as the store says. */
const judgeKeys = ({ storageKeys }: Config, note: string | undefined): Finding[] => {
  const keys = storageKeysOf(storageKeys);
  try {
    assertKeys(note, keys);
  } catch (error) {
    if (!(error instanceof StorageKeyMissing)) throw error;
    return [keyMissing(error)];
  }
  if (!keys) return [];
  const form = keys.current ? 'encrypted' : 'not encrypted, since there is STORAGE_KEY_PREVIOUS alone';
  return [ok('STORAGE_KEY', `What is encrypted can be read. New images are ${form}.`)];
};

const keyMissing = ({ message }: StorageKeyMissing): Finding =>
  wrong('STORAGE_KEY', message.replace('Radwork cannot start: the', 'No server starts: the').replaceAll('\n', ' '));

const unwritable: Record<string, string> = {
  EROFS: 'it is mounted read-only. Mount it anew for writing.',
  EACCES: 'the user that runs this may not write there. Change its owner.',
  EPERM: 'the user that runs this may not write there. Change its owner.',
  ENOSPC: 'the disk is full.',
  EDQUOT: 'the quota of the user that runs this is used up.',
  ENOTDIR: 'it is no folder.',
};

/** Writes a few bytes for good, and takes them back. */
export const examineWriting = async (check: string, folder: string): Promise<Finding> => {
  // Among what is on its way in, a crash leaves nothing that is not swept away.
  const incoming = join(folder, 'incoming');
  const isFolder = await stat(incoming).then(
    (found) => found.isDirectory(),
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
    if (seconds < slowSync) return ok(check, `It is written to, and a sync takes ${(seconds * 1000).toFixed(0)} ms.`);
    return warning(check, `A sync takes ${seconds.toFixed(1)} s, and uploads wait for it. Use a faster disk.`);
  } catch (error) {
    const code = codeOf(error);
    return wrong(check, `It cannot be written to: ${unwritable[code] ?? `writing fails (${code}).`}`);
  } finally {
    await rm(path, { force: true }).catch(() => {});
  }
};

const inGigabytes = (bytes: number): string => `${(bytes / 2 ** 30).toFixed(1)} GB`;

const examineSpace = async (folder: string, freeBytes: number): Promise<Finding> => {
  const { bavail, blocks, bsize } = await statfs(folder);
  const [free, all] = [bavail * bsize, blocks * bsize];
  const words = `${inGigabytes(free)} of ${inGigabytes(all)} are free`;
  if (free < freeBytes)
    return wrong('free space', `${words}, less than FREE_DISK_MB: uploads are refused. Make space.`);
  if (free < all / 10) return warning('free space', `${words}. Make space, or move to a larger disk.`);
  return ok('free space', `${words}.`);
};

/** An object store is tried as a start does, with a folder for what is on its way that is gone afterwards. */
const examineObjectStore = async (config: Config, installation: Installation): Promise<Finding[]> => {
  const dataDir = await mkdtemp(join(tmpdir(), 'radwork-doctor-'));
  try {
    const { blobs, plain } = await openStorage({ ...config, dataDir, storageCacheBytes: 0 });
    const [owner, note] = await Promise.all([blobs.owner(), plain.note(keysNote)]).finally(() => blobs.close());
    return [
      ...judgeOwner(owner, installation),
      ...judgeKeys(config, note),
      ok('store', 'The bucket is written to, read and cleaned up.'),
    ];
  } catch (error) {
    if (error instanceof StorageKeyMissing) return [keyMissing(error)];
    const [, words] = /^Radwork cannot start: (.+)$/.exec(error instanceof ConfigError ? error.message : '') ?? [];
    return [
      wrong(
        'store',
        `${words ?? `The object store cannot be used (${codeOf(error)}).`} Look at STORAGE_URL, STORAGE_ACCESS_KEY and STORAGE_SECRET_KEY.`,
      ),
    ];
  } finally {
    await rm(dataDir, { recursive: true, force: true });
  }
};
