import { dirname } from 'node:path';
import { type BlobStore, StorageUnavailable } from '#core/blobs/blob-store.ts';
import { storedSize } from '#core/blobs/encrypted-format.ts';
import { DamagedFile } from '#core/blobs/disk/file-system.ts';
import { inParallel } from '#core/resources/run-in-parallel.ts';
import { assertStorePresent } from '#core/blobs/assert-store-present.ts';
import {
  filePath,
  hashOf,
  type ListedFile,
  listedFiles,
  type BackupLocation,
  readStored,
  sizeOf,
  writeVerified,
} from './backup-folder.ts';
import type { Manifest } from './manifest.ts';
import { hasKey } from './sealed-files.ts';

/**
 * Number of files that are copied in parallel. `listedTogether` is the number of entries that are read together from
 * the list.
 */
const atOnce = 4;
const listedTogether = 1000;

export type CopyResult = {
  count: number;
  bytes: number;
  /** Number of files that an earlier backup has already copied. */
  alreadyCopied: number;
  missing: Manifest['files']['missing'];
  /** Folders with new file names that are not synced yet. */
  changed: Set<string>;
};

type Options = {
  /** True to accept files of an earlier backup if their size matches, without reading their content again. */
  isFast: boolean;
  onProgress: (words: string) => void;
  /** Receives a message for each file that cannot be copied. */
  report: (words: string) => void;
};

/**
 * Copies the listed files from the store, except those already in the folder. Reports lost and damaged files and copies
 * all other files, because an incomplete backup is better than no backup. Throws when the store cannot be reached.
 */
export const copyFiles = async (
  blobs: BlobStore,
  place: BackupLocation,
  sha256OfList: string,
  options: Options,
): Promise<CopyResult> => {
  const copied: CopyResult = { count: 0, bytes: 0, alreadyCopied: 0, missing: [], changed: new Set() };
  for await (const group of listedFiles(place, sha256OfList, listedTogether)) {
    await inParallel(group, atOnce, async (listedFile) => {
      const outcome = await copyFile(blobs, place, listedFile, options.isFast);
      copied.count += 1;
      copied.bytes += listedFile.size;
      if (outcome === 'kept') copied.alreadyCopied += 1;
      else if (outcome === 'copied') copied.changed.add(dirname(filePath(place.folder, listedFile)));
      else {
        copied.missing.push({ tenantId: listedFile.tenantId, sha256: listedFile.sha256 });
        options.report(`tenant number ${listedFile.tenantId}, file ${listedFile.sha256}: ${outcome}`);
      }
      options.onProgress(`files: ${copied.count}, ${(copied.bytes / 1e6).toFixed(0)} MB`);
    });
  }
  return copied;
};

/** Returns 'kept', 'copied', or a message that says why the file could not be copied. */
const copyFile = async (blobs: BlobStore, place: BackupLocation, listedFile: ListedFile, isFast: boolean) => {
  const { tenantId, sha256 } = listedFile;
  if (await isThere(place, listedFile, isFast)) return 'kept';
  if (!(await blobs.stat(tenantId, sha256))) {
    await assertStorePresent(blobs);
    return 'missing from the store';
  }
  try {
    const isRight = await writeVerified(place, listedFile, fromStore(blobs, listedFile));
    return isRight ? 'copied' : 'the content in the store has changed';
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error;
    await assertStorePresent(blobs);
    return `cannot be read from the store (${error.message})`;
  }
};

const isThere = async (place: BackupLocation, listedFile: ListedFile, isFast: boolean): Promise<boolean> => {
  const path = filePath(place.folder, listedFile);
  // An interrupted first backup may have left files with another key or without encryption.
  if ((await sizeOf(path)) !== (place.keyId === undefined ? listedFile.size : storedSize(listedFile.size)))
    return false;
  if (place.keyId !== undefined && !(await hasKey(path, place.keyId))) return false;
  return isFast || (await isWhole(place, listedFile));
};

const isWhole = async (place: BackupLocation, listedFile: ListedFile): Promise<boolean> => {
  try {
    return (await hashOf(readStored(place, listedFile))).sha256 === listedFile.sha256;
  } catch (error) {
    if (error instanceof DamagedFile) return false;
    throw error;
  }
};

/** Thrown when one file cannot be read from the store, although the store and the disk of the backup work. */
class Unreadable extends Error {}

async function* fromStore(blobs: BlobStore, { tenantId, sha256 }: ListedFile): AsyncGenerator<Buffer> {
  try {
    for await (const chunk of blobs.stream(tenantId, sha256)) yield chunk;
  } catch (error) {
    if (error instanceof StorageUnavailable) throw error;
    throw new Unreadable(error instanceof Error && 'code' in error ? String(error.code) : String(error));
  }
}
