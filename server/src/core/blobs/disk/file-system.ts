import { type FileHandle, mkdir, open } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import type { BlobPiece } from '#core/blobs/blob-store.ts';

/** Name of the file that identifies the owner of a store. No stored file has this name. */
export const ownerName = 'installation';

/** Folder of the encrypted files. It lies next to the numbered tenant folders. */
export const encryptedName = 'encrypted';

/** Content of the test file that `tryOut` writes. */
export const triedWith = 'Radwork was here';

const withOpen = async <T>(path: string, use: (file: FileHandle) => Promise<T>): Promise<T> => {
  const file = await open(path);
  try {
    return await use(file);
  } finally {
    await file.close();
  }
};

/** Reads up to `length` bytes from `offset`; fewer at the end of the file. */
export const readFrom = async (file: FileHandle, offset: number, length: number): Promise<Buffer> => {
  const buffer = Buffer.allocUnsafe(length);
  const { bytesRead } = await file.read(buffer, 0, length, offset);
  return buffer.subarray(0, bytesRead);
};

/** Reads pieces into a buffer. Throws when the file ends too early. */
export const readPieces = async (file: FileHandle, target: Buffer, pieces: readonly BlobPiece[]): Promise<void> => {
  for (const { offset, length, at } of pieces) {
    const { bytesRead } = await file.read(target, at, length, offset);
    if (bytesRead < length) throw tooShort();
  }
};

/** Passes bytes through. Throws when fewer than `length` arrive, because a truncated stream ends without an error. */
export async function* inFull(bytes: AsyncIterable<Buffer>, length: number): AsyncGenerator<Buffer> {
  let remaining = length;
  for await (const chunk of bytes) {
    remaining -= chunk.length;
    yield chunk;
  }
  if (remaining > 0) throw tooShort();
}

/** The bytes in the store are not the bytes that were once stored under this name. */
export class DamagedFile extends Error {
  constructor() {
    super('A stored file is damaged: its content has changed');
  }
}

export const tooShort = () => new Error('A stored file is shorter than the database records');

/** Syncs a folder. Without this, a power cut may lose a new file name. Windows does not support syncing a folder. */
export const syncFolder = async (folder: string): Promise<void> => {
  if (process.platform !== 'win32') await withOpen(folder, (handle) => handle.sync());
};

/**
 * Creates a folder and its missing parents durably. Also syncs an existing folder: the process that created it may have
 * been killed before the sync.
 */
export const makeFolder = async (folder: string): Promise<void> => {
  const path = resolve(folder);
  const first = await mkdir(path, { recursive: true, mode: 0o700 });
  // Ignores a refusal, because another operating system user may have created a parent folder that this process may not
  // read.
  if (first === undefined) return syncFolder(dirname(path)).catch(ignoreForbidden);
  for (let madeFolder = path; madeFolder.length >= first.length; madeFolder = dirname(madeFolder))
    await syncFolder(dirname(madeFolder));
};

/** Creates each folder durably, once per process. */
export const createFolders = () => {
  const ensured = new Set<string>();
  return {
    ensure: async (folder: string, parent: string): Promise<void> => {
      if (ensured.has(folder)) return;
      await mkdir(folder, { recursive: true, mode: 0o700 });
      await syncFolder(parent);
      ensured.add(folder);
    },
  };
};

const ignoreForbidden = (error: unknown): void => {
  if (!hasCode(error, 'EACCES') && !hasCode(error, 'EPERM')) throw error;
};

/** A handler for `catch`: ignores a missing file and rethrows any other error. */
export const ignoreMissing = (error: unknown): undefined => {
  if (!isMissing(error)) throw error;
};

export const isMissing = (error: unknown): boolean => hasCode(error, 'ENOENT');

export const hasCode = (error: unknown, code: string): boolean =>
  error instanceof Error && 'code' in error && error.code === code;
