import { open } from 'node:fs/promises';
import {
  chunksOf,
  decrypting,
  encrypting,
  headerBytes,
  keyIdOf,
  openFile,
  sealBytes,
} from '#core/blobs/encrypted-format.ts';
import { DamagedFile, readFrom } from '#core/blobs/files.ts';
import type { StorageKeys } from '#core/blobs/storage-keys.ts';

/*
 * Files of a backup that BACKUP_KEY encrypts: each as core/blobs/encrypted-format.ts has it. Hashes are of what was
 * encrypted, so that they are the same with a key, with another, and without.
 */

/** What an encrypted file is opened by: whose it is, and the SHA-256 of what was encrypted. */
export type Named = { tenantId: number; sha256: string };

/** Tables and the list of files are of the whole installation. */
export const everybody = 0;

const readAtOnce = 1 << 20;

/** The bytes as they come to lie on the disk: encrypted where there is a key to encrypt with. */
export const sealing = (
  bytes: AsyncIterable<Buffer>,
  keys: StorageKeys | undefined,
  tenantId: number,
): AsyncIterable<Buffer> => (keys?.current ? encrypting(bytes, Infinity, keys.current, tenantId).bytes : bytes);

/** What was encrypted. Throws a DamagedFile unless all of it is as it was, and encrypted with one of the keys. */
export async function* unsealing(path: string, keys: StorageKeys | undefined, named: Named): AsyncGenerator<Buffer> {
  if (!keys) throw new DamagedFile();
  const file = await open(path);
  try {
    const { size: stored } = await file.stat();
    const header = await readFrom(file, 0, headerBytes);
    const seal = await readFrom(file, Math.max(0, stored - sealBytes), sealBytes);
    const opened = openFile({ header, seal, stored }, keys, named);
    if (opened.size === 0) return;
    const range = { offset: 0, length: opened.size };
    const { offset, length } = chunksOf(opened, range);
    const end = offset + length - 1;
    const chunks = file.createReadStream({ start: offset, end, autoClose: false, highWaterMark: readAtOnce });
    yield* decrypting(opened, chunks, range);
  } finally {
    await file.close();
  }
}

/** Whether a file says that it is encrypted with a key. */
export const hasKey = async (path: string, keyId: string): Promise<boolean> => {
  const file = await open(path);
  try {
    return keyIdOf(await readFrom(file, 0, headerBytes)) === keyId;
  } catch (error) {
    if (error instanceof DamagedFile) return false;
    throw error;
  } finally {
    await file.close();
  }
};
