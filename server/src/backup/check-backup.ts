import { relative } from 'node:path';
import { inParallel } from '#core/blobs/in-parallel.ts';
import { filePath, hashOf, listedFiles, listPath, readWhole, sizeOf, tablePath } from './backup-folder.ts';
import type { Manifest } from './manifest.ts';

const atOnce = 4;
const listedTogether = 1000;

type Tell = (words: string) => void;

/** `needed` is how many tables and lists are damaged, without which there is nothing; `files` are the images and the like. */
export type Faults = { needed: number; files: Manifest['files']['missing'] };

/**
 * Reads all of a backup and compares it with what its manifest says. Reports each file that is not there, cannot be read
 * or is not what it was, by its path within the backup.
 */
export const checkBackup = async (
  folder: string,
  manifest: Manifest,
  tell: Tell,
  report: (words: string) => void,
): Promise<Faults> => {
  const faults: Faults = { needed: 0, files: [] };
  const isWhole = async (path: string, sha256: string): Promise<boolean> => {
    const fault = await faultOf(path, sha256);
    if (fault) report(`${relative(folder, path)}: ${fault}`);
    return !fault;
  };
  for (const { name, sha256 } of manifest.tables) {
    tell(`checking table ${name}`);
    if (!(await isWhole(tablePath(folder, manifest.id, name), sha256))) faults.needed += 1;
  }
  if (await isWhole(listPath(folder, manifest.id), manifest.files.sha256))
    faults.files = await damagedFiles(folder, manifest, tell, isWhole);
  else faults.needed += 1;
  return faults;
};

const damagedFiles = async (
  folder: string,
  manifest: Manifest,
  tell: Tell,
  isWhole: (path: string, sha256: string) => Promise<boolean>,
): Promise<Faults['files']> => {
  const isMissing = missingIn(manifest);
  const damaged: Faults['files'] = [];
  let checked = 0;
  for await (const group of listedFiles(folder, manifest, listedTogether)) {
    const expected = group.filter((listed) => !isMissing(listed));
    await inParallel(expected, atOnce, async (listed) => {
      const { tenantId, sha256 } = listed;
      if (!(await isWhole(filePath(folder, listed), sha256))) damaged.push({ tenantId, sha256 });
      checked += 1;
      tell(`checking files: ${checked} of ${manifest.files.count}`);
    });
  }
  return damaged;
};

const faultOf = async (path: string, sha256: string): Promise<string | undefined> => {
  if ((await sizeOf(path)) === undefined) return 'it is missing';
  try {
    return (await hashOf(readWhole(path))).sha256 === sha256 ? undefined : 'its bytes have changed';
  } catch (error) {
    // A bad place of the disk is one file's.
    if (error instanceof Error && 'code' in error) return `it cannot be read (${String(error.code)})`;
    throw error;
  }
};

/** Says of a listed file whether the store had lost it already when the backup was made. */
export const missingIn = ({ files }: Manifest) => {
  const keyOf = ({ tenantId, sha256 }: { tenantId: number; sha256: string }) => `${tenantId}/${sha256}`;
  const keys = new Set(files.missing.map(keyOf));
  return (listed: { tenantId: number; sha256: string }): boolean => keys.has(keyOf(listed));
};
