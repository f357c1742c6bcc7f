import { relative } from 'node:path';
import { DamagedFile } from '#core/blobs/disk/file-system.ts';
import { inParallel } from '#core/resources/run-in-parallel.ts';
import {
  filePath,
  hashOf,
  listedFiles,
  listPath,
  type BackupLocation,
  readStored,
  readTable,
  sizeOf,
  tablePath,
} from './backup-folder.ts';
import type { Manifest } from './manifest.ts';

const atOnce = 4;
const listedTogether = 1000;

type OnProgress = (words: string) => void;

/**
 * `needed` counts damaged tables and lists, without which a restore is impossible. `files` counts stored files, such as
 * images.
 */
export type Faults = { needed: number; files: Manifest['files']['missing'] };

/**
 * Reads a whole backup and compares it with its manifest. Reports each missing, unreadable or changed file by its path
 * in the backup.
 */
export const checkBackup = async (
  place: BackupLocation,
  manifest: Manifest,
  onProgress: OnProgress,
  report: (words: string) => void,
): Promise<Faults> => {
  const { folder, id } = place;
  const faults: Faults = { needed: 0, files: [] };
  const isWhole: IsWhole = async (path, sha256, bytes) => {
    const fault = await faultOf(path, sha256, bytes);
    if (fault) report(`${relative(folder, path)}: ${fault}`);
    return !fault;
  };
  const isWholeTable = (path: string, sha256: string) => isWhole(path, sha256, () => readTable(place, path, sha256));
  for (const { name, sha256 } of manifest.tables) {
    onProgress(`checking table ${name}`);
    if (!(await isWholeTable(tablePath(folder, id, name), sha256))) faults.needed += 1;
  }
  if (await isWholeTable(listPath(folder, id), manifest.files.sha256))
    faults.files = await damagedFiles(place, manifest, onProgress, isWhole);
  else faults.needed += 1;
  return faults;
};

type IsWhole = (path: string, sha256: string, bytes: () => AsyncIterable<Buffer>) => Promise<boolean>;

const damagedFiles = async (
  place: BackupLocation,
  manifest: Manifest,
  onProgress: OnProgress,
  isWhole: IsWhole,
): Promise<Faults['files']> => {
  const isMissing = missingIn(manifest);
  const damaged: Faults['files'] = [];
  let checked = 0;
  for await (const group of listedFiles(place, manifest.files.sha256, listedTogether)) {
    const expected = group.filter((listedFile) => !isMissing(listedFile));
    await inParallel(expected, atOnce, async (listedFile) => {
      const { tenantId, sha256 } = listedFile;
      const path = filePath(place.folder, listedFile);
      if (!(await isWhole(path, sha256, () => readStored(place, listedFile)))) damaged.push({ tenantId, sha256 });
      checked += 1;
      onProgress(`checking files: ${checked} of ${manifest.files.count}`);
    });
  }
  return damaged;
};

const faultOf: (...file: Parameters<IsWhole>) => Promise<string | undefined> = async (path, sha256, bytes) => {
  if ((await sizeOf(path)) === undefined) return 'the file is missing';
  try {
    return (await hashOf(bytes())).sha256 === sha256 ? undefined : 'the content has changed';
  } catch (error) {
    if (error instanceof DamagedFile) return 'the content has changed';
    // A read error, such as a bad sector of the disk, affects only this file, so it counts as a fault of this file.
    if (error instanceof Error && 'code' in error) return `the file cannot be read (${String(error.code)})`;
    throw error;
  }
};

/** Returns a function that tells whether a listed file was already lost in the store before the backup. */
export const missingIn = ({ files }: Manifest) => {
  const keyOf = ({ tenantId, sha256 }: { tenantId: number; sha256: string }) => `${tenantId}/${sha256}`;
  const keys = new Set(files.missing.map(keyOf));
  return (listedFile: { tenantId: number; sha256: string }): boolean => keys.has(keyOf(listedFile));
};
