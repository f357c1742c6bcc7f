import { type FileHandle, mkdir, open } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import type { Piece } from '#core/blob-store.ts';

/** What a store calls the file that says whose it is: nothing that is stored is called so. */
export const ownerName = 'installation';

/** Where what is encrypted is, beside the tenants, whose names are numbers. */
export const encryptedName = 'encrypted';

/** What a store is tried out with. */
export const triedWith = 'Radwork was here';

const withOpen = async <T>(path: string, use: (file: FileHandle) => Promise<T>): Promise<T> => {
  const file = await open(path);
  try {
    return await use(file);
  } finally {
    await file.close();
  }
};

/** Reads `length` bytes from `offset`; fewer when the file ends before. */
export const readFrom = async (file: FileHandle, offset: number, length: number): Promise<Buffer> => {
  const buffer = Buffer.allocUnsafe(length);
  const { bytesRead } = await file.read(buffer, 0, length, offset);
  return buffer.subarray(0, bytesRead);
};

/** Reads pieces to their places in a buffer. Throws when the file ends before one of them. */
export const readPieces = async (file: FileHandle, target: Buffer, pieces: readonly Piece[]): Promise<void> => {
  for (const { offset, length, at } of pieces) {
    const { bytesRead } = await file.read(target, at, length, offset);
    if (bytesRead < length) throw tooShort();
  }
};

/** Bytes that have to be so many: a stream of what ends too soon ends like any other. */
export async function* inFull(bytes: AsyncIterable<Buffer>, length: number): AsyncGenerator<Buffer> {
  let left = length;
  for await (const piece of bytes) {
    left -= piece.length;
    yield piece;
  }
  if (left > 0) throw tooShort();
}

/** Bytes that are there and are not what was stored under their name. */
export class DamagedFile extends Error {
  constructor() {
    super('A stored file is damaged: it is not what was stored');
  }
}

export const tooShort = () => new Error('A stored file is shorter than its rows say');

/** A new name in a folder survives a power cut only when the folder itself is synced. Windows cannot and need not. */
export const syncFolder = async (folder: string): Promise<void> => {
  if (process.platform !== 'win32') await withOpen(folder, (handle) => handle.sync());
};

/**
 * Makes a folder for good, and those above it that are missing. The name of one that is there already is synced too:
 * whoever made it may have been killed before they could.
 */
export const makeFolder = async (folder: string): Promise<void> => {
  const path = resolve(folder);
  const first = await mkdir(path, { recursive: true, mode: 0o700 });
  // One that lies where we may not read was made by somebody else.
  if (first === undefined) return syncFolder(dirname(path)).catch(ignoreForbidden);
  for (let made = path; made.length >= first.length; made = dirname(made)) await syncFolder(dirname(made));
};

/** Makes folders for good, each of them once. */
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

/** For `catch`: does nothing about an error that says there is no such file, and throws any other again. */
export const ignoreMissing = (error: unknown): undefined => {
  if (!isMissing(error)) throw error;
};

export const isMissing = (error: unknown): boolean => hasCode(error, 'ENOENT');

export const hasCode = (error: unknown, code: string): boolean =>
  error instanceof Error && 'code' in error && error.code === code;
