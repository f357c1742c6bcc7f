import { createHash, type Hash, randomUUID } from 'node:crypto';
import { constants, createReadStream, type ReadStream } from 'node:fs';
import { type FileHandle, mkdir, open, readdir, rename, rm, unlink } from 'node:fs/promises';
import { join } from 'node:path';

/** Bytes on their way in: written to a temporary file while they are hashed. Nothing of it stays unless it is kept. */
export type Incoming = {
  sha256: string;
  size: number;
  read: (offset: number, length: number) => Promise<Buffer>;
  /** Makes the bytes durable under their hash in a tenant's part of the store. */
  keep: (tenantId: number) => Promise<void>;
  discard: () => Promise<void>;
};

export class TooLarge extends Error {}

/**
 * Bytes by their SHA-256, apart for each tenant: a path never holds a UID or a name, and an upload never tells
 * whether another tenant has the same file. When `keep` resolves, the bytes survive a power cut: file synced,
 * renamed into place, folder synced (design/security.md D2).
 */
export const openBlobStore = async (root: string) => {
  const incoming = join(root, 'incoming');
  const folderOf = (tenantId: number, sha256: string) => join(root, String(tenantId), sha256.slice(0, 2));
  const pathOf = (tenantId: number, sha256: string) => join(folderOf(tenantId, sha256), sha256);
  const ensured = new Set<string>();

  const ensureFolder = async (folder: string, parent: string) => {
    if (ensured.has(folder)) return;
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await syncFolder(parent);
    ensured.add(folder);
  };

  await ensureFolder(root, join(root, '..'));
  await ensureFolder(incoming, root);
  // What a crash left half written was never acknowledged.
  for (const name of await readdir(incoming)) await rm(join(incoming, name), { force: true });

  return {
    /** Writes a stream to a temporary file. Throws TooLarge past `limit` bytes; a failed stream leaves nothing behind. */
    receive: async (source: AsyncIterable<Buffer>, limit: number): Promise<Incoming> => {
      const path = join(incoming, randomUUID());
      const file = await open(path, constants.O_CREAT | constants.O_EXCL | constants.O_RDWR, 0o600);
      const discard = async () => {
        await file.close().catch(() => {});
        await rm(path, { force: true });
      };
      try {
        const hash = createHash('sha256');
        const size = await write(source, file, hash, limit);
        const sha256 = hash.digest('hex');
        return {
          sha256,
          size,
          read: (offset, length) => readFrom(file, offset, length),
          keep: async (tenantId) => {
            await file.datasync();
            await file.close();
            const tenantFolder = join(root, String(tenantId));
            await ensureFolder(tenantFolder, root);
            await ensureFolder(folderOf(tenantId, sha256), tenantFolder);
            await rename(path, pathOf(tenantId, sha256));
            await syncFolder(folderOf(tenantId, sha256));
          },
          discard,
        };
      } catch (error) {
        await discard();
        throw error;
      }
    },

    /** Reads `length` bytes from `offset`; fewer when the file ends before. */
    read: async (tenantId: number, sha256: string, offset: number, length: number): Promise<Buffer> => {
      const file = await open(pathOf(tenantId, sha256));
      try {
        return await readFrom(file, offset, length);
      } finally {
        await file.close();
      }
    },

    stream: (tenantId: number, sha256: string): ReadStream => createReadStream(pathOf(tenantId, sha256)),

    remove: (tenantId: number, sha256: string): Promise<void> => unlink(pathOf(tenantId, sha256)),
  };
};

export type BlobStore = Awaited<ReturnType<typeof openBlobStore>>;

const write = async (source: AsyncIterable<Buffer>, file: FileHandle, hash: Hash, limit: number): Promise<number> => {
  let size = 0;
  for await (const chunk of source) {
    if (size + chunk.length > limit) throw new TooLarge();
    hash.update(chunk);
    await file.write(chunk, 0, chunk.length, size);
    size += chunk.length;
  }
  return size;
};

const readFrom = async (file: FileHandle, offset: number, length: number): Promise<Buffer> => {
  const buffer = Buffer.allocUnsafe(length);
  const { bytesRead } = await file.read(buffer, 0, length, offset);
  return buffer.subarray(0, bytesRead);
};

/** A new name in a folder survives a power cut only when the folder itself is synced. Windows cannot and need not. */
const syncFolder = async (folder: string) => {
  if (process.platform === 'win32') return;
  const handle = await open(folder);
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
};
