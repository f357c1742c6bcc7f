import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, open, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';
import { ignoreMissing, makeFolder, syncFolder } from '#core/blobs/files.ts';
import type { StorageKeys } from '#core/blobs/storage-keys.ts';
import { ConfigError } from '#core/config.ts';
import { findManifest, isManifest, type Manifest, manifestName, writtenManifest } from './manifest.ts';
import { everybody, sealing, unsealing } from './sealed-files.ts';

/*
 * What a backup is on a disk:
 *
 *   manifest.json                      written last
 *   database/<id of the backup>/       a compressed COPY of each table, and the list of the files
 *   files/<tenant>/<aa>/<sha256>       as they came in; of all backups that were made into this folder
 *
 * With a BACKUP_KEY each of them but the manifest is encrypted (sealed-files.ts), and the manifest is signed. Hashes are
 * of what is encrypted. All backups of a folder have the same key, or none.
 */

/** One backup of a folder, to be written or read: `keyId` says what it is encrypted with. */
export type Place = { folder: string; id: string; keyId: string | undefined; keys: StorageKeys | undefined };

/** Of a backup that is there. */
export const placeOf = (folder: string, { id, keyId }: Manifest, keys: StorageKeys | undefined): Place => ({
  folder,
  id,
  keyId,
  keys,
});

const databases = 'database';
const storedFiles = 'files';
/** No table is called so: it has a hyphen. */
const listName = 'stored-bytes';

export const databaseFolder = (folder: string, id: string) => join(folder, databases, id);
export const tablePath = (folder: string, id: string, table: string) =>
  join(databaseFolder(folder, id), `${table}.copy.gz`);
export const listPath = (folder: string, id: string) => tablePath(folder, id, listName);
export const filePath = (folder: string, { tenantId, sha256 }: { tenantId: number; sha256: string }) =>
  join(folder, storedFiles, String(tenantId), sha256.slice(0, 2), sha256);

/** Makes the folder for a backup, or takes one that has backups of this kind and nothing else. Throws a ConfigError. */
export const prepareFolder = async (folder: string, id: string): Promise<void> => {
  const names = (await readdir(folder).catch(ignoreMissing)) ?? [];
  const known = new Set([manifestName, databases, storedFiles, 'lost+found']);
  const strange = names.find((name) => !known.has(name) && !name.startsWith(`${manifestName}.`));
  if (strange !== undefined) {
    throw new ConfigError(`There is something else than a backup in ${folder}: ${strange}. Name an empty folder.`);
  }
  for (const path of [databaseFolder(folder, id), join(folder, storedFiles)]) {
    await makeFolder(path);
  }
};

export type Hashed = { sha256: string; bytes: number };

/** Reads all of it. */
export const hashOf = async (source: AsyncIterable<Buffer>): Promise<Hashed> => {
  const hash = createHash('sha256');
  let bytes = 0;
  for await (const piece of source) {
    hash.update(piece);
    bytes += piece.length;
  }
  return { sha256: hash.digest('hex'), bytes };
};

const readAtOnce = 1 << 20;

const readPlain = (path: string): Readable => createReadStream(path, { highWaterMark: readAtOnce });

/** The compressed text of a table or list. Breaks with a DamagedFile, or the file's error. */
export const readTable = ({ keyId, keys }: Place, path: string, sha256: string): AsyncIterable<Buffer> =>
  keyId === undefined ? readPlain(path) : unsealing(path, keys, { tenantId: everybody, sha256 });

/** One of the files as it came in. Breaks as `readTable` does. */
export const readStored = ({ folder, keyId, keys }: Place, listed: Listed): AsyncIterable<Buffer> => {
  const path = filePath(folder, listed);
  return keyId === undefined ? readPlain(path) : unsealing(path, keys, listed);
};

/** Writes a text compressed, and synced when it returns. The hash is of what is compressed, before it is encrypted. */
export const writeCompressed = async (path: string, text: Readable, keys?: StorageKeys): Promise<Hashed> => {
  const hash = createHash('sha256');
  let bytes = 0;
  await pipeline(
    text,
    createGzip({ level: 1 }),
    async function* (pieces: AsyncIterable<Buffer>) {
      for await (const piece of pieces) {
        hash.update(piece);
        bytes += piece.length;
        yield piece;
      }
    },
    (pieces: AsyncIterable<Buffer>) => sealing(pieces, keys, everybody),
    createWriteStream(path, { flags: 'wx', mode: 0o600, flush: true }),
  );
  return { sha256: hash.digest('hex'), bytes };
};

/** The text that was written compressed. Breaks as `readTable` does. */
export const readCompressed = (place: Place, path: string, sha256: string): Readable => {
  const text = createGunzip();
  pipeline(readTable(place, path, sha256), text).catch((error: unknown) => text.destroy(error as Error));
  return text;
};

/**
 * Writes one of the files under its name once all of it is on the disk and its hash is as it should be; its folder is
 * left to be synced. False, and nothing stays, when the hash is another one.
 */
export const writeVerified = async (
  { folder, keys }: Place,
  listed: Listed,
  source: AsyncIterable<Buffer>,
): Promise<boolean> => {
  const path = filePath(folder, listed);
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const unfinished = `${path}.part`;
  const file = await open(unfinished, 'w', 0o600);
  const hash = createHash('sha256');
  const hashed = async function* () {
    for await (const piece of source) {
      hash.update(piece);
      yield piece;
    }
  };
  try {
    for await (const piece of sealing(hashed(), keys, listed.tenantId)) await file.writeFile(piece);
    await file.datasync();
  } catch (error) {
    await rm(unfinished, { force: true });
    throw error;
  } finally {
    await file.close();
  }
  const isRight = hash.digest('hex') === listed.sha256;
  if (isRight) await rename(unfinished, path);
  else await rm(unfinished);
  return isRight;
};

/** The size of a file in bytes; undefined when there is none. */
export const sizeOf = async (path: string): Promise<number | undefined> =>
  (await stat(path).catch(ignoreMissing))?.size;

/** One of the files that the database knew when the backup was made. `wasMissing` is what the upkeep had found. */
export type Listed = { tenantId: number; sha256: string; size: number; wasMissing: boolean };

/** The columns of the list, for the database that writes it. */
export const listColumns = `tenant_id, encode(sha256, 'hex'), max(size), bool_and(missing_since is not null)`;

/** The list of a backup's files, a few at a time, in little memory however long it is. */
export async function* listedFiles(place: Place, sha256OfList: string, most: number) {
  let group: Listed[] = [];
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

/** Folders and those above them up to the backup's own, synced so that the names in them survive a power cut. */
export const syncFolders = async (folder: string, changed: Iterable<string>): Promise<void> => {
  const all = new Set<string>([folder]);
  for (const one of changed) for (let at = one; at.length > folder.length; at = dirname(at)) all.add(at);
  for (const one of all) await syncFolder(one);
};

/**
 * Puts the manifest into its place, by which the folder becomes this backup. The tables of the one before stay with a copy
 * of its manifest, which makes the folder that backup again when it is put into its place. Those of others are removed.
 * Throws, and the one before stays, when the manifest is none that a restore would take.
 */
export const completeBackup = async (folder: string, manifest: Manifest, keys?: StorageKeys): Promise<void> => {
  const path = join(folder, manifestName);
  const before = await findManifest(folder, keys);
  if (before) await keepManifest(path, databaseFolder(folder, before.id));
  const unfinished = `${path}.part`;
  await writeFile(unfinished, writtenManifest(manifest, keys), { mode: 0o600, flush: true });
  if (!(await isManifest(unfinished, keys)))
    throw new Error(`No restore could read ${unfinished}: there is no new backup`);
  await rename(unfinished, path);
  await syncFolder(folder);
  for (const name of await readdir(join(folder, databases))) {
    if (name !== manifest.id && name !== before?.id) await rm(databaseFolder(folder, name), { recursive: true });
  }
};

const keepManifest = async (path: string, place: string) => {
  // Somebody has removed its tables: there is nothing to keep.
  if ((await sizeOf(place)) === undefined) return;
  await writeFile(join(place, manifestName), await readFile(path), { mode: 0o600, flush: true });
  await syncFolder(place);
};
