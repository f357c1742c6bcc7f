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
import { DamagedFile, readFrom } from '#core/blobs/disk/file-system.ts';
import type { StorageKeys } from '#core/blobs/storage-keys.ts';

/*
 * Files of a backup that BACKUP_KEY encrypts, in the format of core/blobs/encrypted-format.ts. Hashes are of the bytes
 * before encryption, so they do not depend on the key.
 */

/** Identifies an encrypted file by its tenant and the SHA-256 of its plain bytes. */
export type FileIdentity = { tenantId: number; sha256: string };

/** Tenant for the tables and the list of files, which belong to the whole installation. */
export const installationTenant = 0;

const readAtOnce = 1 << 20;

/** Encrypts bytes before they are written, if there is a current key. */
export const encryptForBackup = (
  bytes: AsyncIterable<Buffer>,
  keys: StorageKeys | undefined,
  tenantId: number,
): AsyncIterable<Buffer> => (keys?.current ? encrypting(bytes, Infinity, keys.current, tenantId).bytes : bytes);

/** Decrypts a file. Throws a DamagedFile when the file has changed, or no key in `keys` opens it. */
export async function* decryptFromBackup(
  path: string,
  keys: StorageKeys | undefined,
  identity: FileIdentity,
): AsyncGenerator<Buffer> {
  if (!keys) throw new DamagedFile();
  const file = await open(path);
  try {
    const { size: stored } = await file.stat();
    const header = await readFrom(file, 0, headerBytes);
    const seal = await readFrom(file, Math.max(0, stored - sealBytes), sealBytes);
    const opened = openFile({ header, seal, stored }, keys, identity);
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

/** Returns whether the header of a file contains this key id. */
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
