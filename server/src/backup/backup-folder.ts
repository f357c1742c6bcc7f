import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, open, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';
import { ignoreMissing, makeFolder, syncFolder } from '#core/blobs/disk/file-system.ts';
import type { StorageKeys } from '#core/blobs/storage-keys.ts';
import { ConfigError } from '#core/config/config-error.ts';
import { findManifest, isManifest, type Manifest, manifestName, writtenManifest } from './manifest.ts';
import { installationTenant, encryptForBackup, decryptFromBackup } from './sealed-files.ts';

/*
 * Layout of a backup on disk:
 *
 *   manifest.json                      written last
 *   database/<id of the backup>/       a compressed COPY of each table, and the list of the files
 *   files/<tenant>/<aa>/<sha256>       original bytes; all backups in this folder share them
 *
 * BACKUP_KEY encrypts every file except the manifest (sealed-files.ts), and signs the manifest. The hashes are those of
 * the bytes before encryption. All backups in a folder have the same key, or none.
 */

/** One backup in a folder, for reading or writing. `keyId` names the key that encrypts it. */
export type BackupLocation = { folder: string; id: string; keyId: string | undefined; keys: StorageKeys | undefined };

/** Returns the folders of an existing backup. */
export const backupLocationOf = (
  folder: string,
  { id, keyId }: Manifest,
  keys: StorageKeys | undefined,
): BackupLocation => ({
  folder,
  id,
  keyId,
  keys,
});

const databases = 'database';
const storedFiles = 'files';
/** This name has a hyphen, so no table can have it. */
const listName = 'stored-bytes';

export const databaseFolder = (folder: string, id: string) => join(folder, databases, id);
export const tablePath = (folder: string, id: string, table: string) =>
  join(databaseFolder(folder, id), `${table}.copy.gz`);
export const listPath = (folder: string, id: string) => tablePath(folder, id, listName);
export const filePath = (folder: string, { tenantId, sha256 }: { tenantId: number; sha256: string }) =>
  join(folder, storedFiles, String(tenantId), sha256.slice(0, 2), sha256);

/** Creates the folder for a backup, or accepts a folder that contains only backups. Throws a ConfigError. */
export const prepareFolder = async (folder: string, id: string): Promise<void> => {
  const names = (await readdir(folder).catch(ignoreMissing)) ?? [];
  const known = new Set([manifestName, databases, storedFiles, 'lost+found']);
  const unknown = names.find((name) => !known.has(name) && !name.startsWith(`${manifestName}.`));
  if (unknown !== undefined) {
    throw new ConfigError(`${folder} contains something other than a backup: ${unknown}. Name an empty folder.`);
  }
  for (const path of [databaseFolder(folder, id), join(folder, storedFiles)]) {
    await makeFolder(path);
  }
};

export type FileDigest = { sha256: string; bytes: number };

/** Reads a source to its end and returns its hash and its length in bytes. */
export const hashOf = async (source: AsyncIterable<Buffer>): Promise<FileDigest> => {
  const hash = createHash('sha256');
  let bytes = 0;
  for await (const chunk of source) {
    hash.update(chunk);
    bytes += chunk.length;
  }
  return { sha256: hash.digest('hex'), bytes };
};

const readAtOnce = 1 << 20;

const readPlain = (path: string): Readable => createReadStream(path, { highWaterMark: readAtOnce });

/** Reads the compressed text of a table or list. Throws a DamagedFile, or the error of reading the file. */
export const readTable = ({ keyId, keys }: BackupLocation, path: string, sha256: string): AsyncIterable<Buffer> =>
  keyId === undefined ? readPlain(path) : decryptFromBackup(path, keys, { tenantId: installationTenant, sha256 });

/** Reads one stored file and decrypts it. Throws like `readTable`. */
export const readStored = ({ folder, keyId, keys }: BackupLocation, listedFile: ListedFile): AsyncIterable<Buffer> => {
  const path = filePath(folder, listedFile);
  return keyId === undefined ? readPlain(path) : decryptFromBackup(path, keys, listedFile);
};

/**
 * Compresses and writes a text. The file is synced when the promise resolves. The hash is that of the compressed text
 * before encryption.
 */
export const writeCompressed = async (path: string, text: Readable, keys?: StorageKeys): Promise<FileDigest> => {
  const hash = createHash('sha256');
  let bytes = 0;
  await pipeline(
    text,
    createGzip({ level: 1 }),
    async function* (chunks: AsyncIterable<Buffer>) {
      for await (const chunk of chunks) {
        hash.update(chunk);
        bytes += chunk.length;
        yield chunk;
      }
    },
    (chunks: AsyncIterable<Buffer>) => encryptForBackup(chunks, keys, installationTenant),
    createWriteStream(path, { flags: 'wx', mode: 0o600, flush: true }),
  );
  return { sha256: hash.digest('hex'), bytes };
};

/** Reads a text that `writeCompressed` has written. Throws like `readTable`. */
export const readCompressed = (place: BackupLocation, path: string, sha256: string): Readable => {
  const text = createGunzip();
  pipeline(readTable(place, path, sha256), text).catch((error: unknown) => text.destroy(error as Error));
  return text;
};

/**
 * Writes a file. The file gets its final name when all its bytes are on disk and its hash matches. The caller syncs the
 * folder. If the hash differs, returns false and leaves no file.
 */
export const writeVerified = async (
  { folder, keys }: BackupLocation,
  listedFile: ListedFile,
  source: AsyncIterable<Buffer>,
): Promise<boolean> => {
  const path = filePath(folder, listedFile);
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const unfinished = `${path}.part`;
  const file = await open(unfinished, 'w', 0o600);
  const hash = createHash('sha256');
  const hashed = async function* () {
    for await (const chunk of source) {
      hash.update(chunk);
      yield chunk;
    }
  };
  try {
    for await (const chunk of encryptForBackup(hashed(), keys, listedFile.tenantId)) await file.writeFile(chunk);
    await file.datasync();
  } catch (error) {
    await rm(unfinished, { force: true });
    throw error;
  } finally {
    await file.close();
  }
  const isRight = hash.digest('hex') === listedFile.sha256;
  if (isRight) await rename(unfinished, path);
  else await rm(unfinished);
  return isRight;
};

/** Returns the size of a file in bytes. Undefined when there is no file. */
export const sizeOf = async (path: string): Promise<number | undefined> =>
  (await stat(path).catch(ignoreMissing))?.size;

/**
 * A file to which the database referred at the time of the backup. `wasMissing`: upkeep had already marked it as
 * missing.
 */
export type ListedFile = { tenantId: number; sha256: string; size: number; wasMissing: boolean };

/** SQL columns of the list, for the database that writes the list. */
export const listColumns = `tenant_id, encode(sha256, 'hex'), max(size), bool_and(missing_since is not null)`;

/** Reads the list of files in groups, in constant memory. */
export async function* listedFiles(place: BackupLocation, sha256OfList: string, most: number) {
  let group: ListedFile[] = [];
  const input = readCompressed(place, listPath(place.folder, place.id), sha256OfList);
  for await (const line of createInterface({ input })) {
    const [tenantId = '', sha256 = '', size, wasMissing] = line.split('\t');
    if (!/^\d+$/.test(tenantId) || !/^[0-9a-f]{64}$/.test(sha256)) throw new Error('The list of files is damaged');
    group.push({ tenantId: Number(tenantId), sha256, size: Number(size), wasMissing: wasMissing === 't' });
    if (group.length < most) continue;
    yield group;
    group = [];
  }
  if (group.length > 0) yield group;
}

/** Syncs folders and their parents up to the backup folder, so that names of files survive a power cut. */
export const syncFolders = async (folder: string, changed: Iterable<string>): Promise<void> => {
  const all = new Set<string>([folder]);
  for (const one of changed) for (let at = one; at.length > folder.length; at = dirname(at)) all.add(at);
  for (const one of all) await syncFolder(one);
};

/**
 * Writes the manifest, which turns the folder into this backup. Keeps the tables of the previous backup and a copy of
 * its manifest: copying that manifest back restores the previous backup. Removes the tables of older backups. If a
 * restore could not read the new manifest, throws and keeps the previous backup.
 */
export const completeBackup = async (folder: string, manifest: Manifest, keys?: StorageKeys): Promise<void> => {
  const path = join(folder, manifestName);
  const before = await findManifest(folder, keys);
  if (before) await keepManifest(path, databaseFolder(folder, before.id));
  const unfinished = `${path}.part`;
  await writeFile(unfinished, writtenManifest(manifest, keys), { mode: 0o600, flush: true });
  if (!(await isManifest(unfinished, keys)))
    throw new Error(`The new backup is not valid: a restore could not read ${unfinished}`);
  await rename(unfinished, path);
  await syncFolder(folder);
  for (const name of await readdir(join(folder, databases))) {
    if (name !== manifest.id && name !== before?.id) await rm(databaseFolder(folder, name), { recursive: true });
  }
};

const keepManifest = async (path: string, place: string) => {
  // If the operator removed the tables of the previous backup, there is nothing to keep.
  if ((await sizeOf(place)) === undefined) return;
  await writeFile(join(place, manifestName), await readFile(path), { mode: 0o600, flush: true });
  await syncFolder(place);
};
