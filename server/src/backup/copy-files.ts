import { dirname } from 'node:path';
import { type BlobStore, StorageAway } from '#core/blob-store.ts';
import { storedSize } from '#core/blobs/encrypted-format.ts';
import { DamagedFile } from '#core/blobs/files.ts';
import { inParallel } from '#core/blobs/in-parallel.ts';
import { assertStillThere } from '#core/blobs/still-there.ts';
import {
  filePath,
  hashOf,
  type Listed,
  listedFiles,
  type Place,
  readStored,
  sizeOf,
  writeVerified,
} from './backup-folder.ts';
import type { Manifest } from './manifest.ts';
import { hasKey } from './sealed-files.ts';

/** Files that are read and written at the same time, and those that are taken from the list together. */
const atOnce = 4;
const listedTogether = 1000;

export type Copied = {
  count: number;
  bytes: number;
  /** How many were there already, from a backup before. */
  kept: number;
  missing: Manifest['files']['missing'];
  /** Folders with names in them that are not synced yet. */
  changed: Set<string>;
};

type Options = {
  /** Files of a backup before are taken by their size, and not read again. */
  isFast: boolean;
  tell: (words: string) => void;
  /** Hears of each file that cannot be had, in words. */
  report: (words: string) => void;
};

/**
 * Copies the files that a backup lists from the store, except those that the folder has already. One that the store has
 * lost or damaged is reported, and the others are copied all the same: a backup of the rest is worth more than none. Throws
 * when the store itself has gone.
 */
export const copyFiles = async (
  blobs: BlobStore,
  place: Place,
  sha256OfList: string,
  options: Options,
): Promise<Copied> => {
  const copied: Copied = { count: 0, bytes: 0, kept: 0, missing: [], changed: new Set() };
  for await (const group of listedFiles(place, sha256OfList, listedTogether)) {
    await inParallel(group, atOnce, async (listed) => {
      const outcome = await copyFile(blobs, place, listed, options.isFast);
      copied.count += 1;
      copied.bytes += listed.size;
      if (outcome === 'kept') copied.kept += 1;
      else if (outcome === 'copied') copied.changed.add(dirname(filePath(place.folder, listed)));
      else {
        copied.missing.push({ tenantId: listed.tenantId, sha256: listed.sha256 });
        options.report(`tenant number ${listed.tenantId}, file ${listed.sha256}: ${outcome}`);
      }
      options.tell(`files: ${copied.count}, ${(copied.bytes / 1e6).toFixed(0)} MB`);
    });
  }
  return copied;
};

/** The words of a problem when it is neither there nor could be copied. */
const copyFile = async (blobs: BlobStore, place: Place, listed: Listed, isFast: boolean) => {
  const { tenantId, sha256 } = listed;
  if (await isThere(place, listed, isFast)) return 'kept';
  if (!(await blobs.stat(tenantId, sha256))) {
    await assertStillThere(blobs);
    return 'it is missing from the store';
  }
  try {
    const isRight = await writeVerified(place, listed, fromStore(blobs, listed));
    return isRight ? 'copied' : 'its bytes in the store have changed';
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error;
    await assertStillThere(blobs);
    return `it cannot be read from the store (${error.message})`;
  }
};

const isThere = async (place: Place, listed: Listed, isFast: boolean): Promise<boolean> => {
  const path = filePath(place.folder, listed);
  // A backup that was broken off before there was any may have left files of another key, or of none.
  if ((await sizeOf(path)) !== (place.keyId === undefined ? listed.size : storedSize(listed.size))) return false;
  if (place.keyId !== undefined && !(await hasKey(path, place.keyId))) return false;
  return isFast || (await isWhole(place, listed));
};

const isWhole = async (place: Place, listed: Listed): Promise<boolean> => {
  try {
    return (await hashOf(readStored(place, listed))).sha256 === listed.sha256;
  } catch (error) {
    if (error instanceof DamagedFile) return false;
    throw error;
  }
};

/** One file cannot be read; the store as such, and the disk of the backup, are another matter. */
class Unreadable extends Error {}

async function* fromStore(blobs: BlobStore, { tenantId, sha256 }: Listed): AsyncGenerator<Buffer> {
  try {
    for await (const piece of blobs.stream(tenantId, sha256)) yield piece;
  } catch (error) {
    if (error instanceof StorageAway) throw error;
    throw new Unreadable(error instanceof Error && 'code' in error ? String(error.code) : String(error));
  }
}
