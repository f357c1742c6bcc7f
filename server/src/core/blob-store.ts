import { createHash, type Hash, randomUUID } from 'node:crypto';
import { constants, createReadStream, type ReadStream } from 'node:fs';
import { type FileHandle, mkdir, open, readdir, rename, rm, unlink } from 'node:fs/promises';
import { join } from 'node:path';

/** Bytes on their way in: written to a temporary file while they are hashed. Nothing of it stays unless it is kept. */
export type Incoming = {
  readonly sha256: string;
  readonly size: number;
  /** Reads `length` bytes from `offset`; fewer when the file ends before. Not after `sync`. */
  read: (offset: number, length: number) => Promise<Buffer>;
  /** Makes the bytes survive a power cut and closes the file. They still have no name that anybody would look for. */
  sync: () => Promise<void>;
  /** Takes back whatever has been written. Does nothing to what has been kept. */
  discard: () => Promise<void>;
};

/** A piece of a file, and where in a buffer it belongs. */
export type Piece = { offset: number; length: number; at: number };

/** There are more bytes than the caller wanted to receive. */
export class TooLarge extends Error {}

export type BlobStore = Awaited<ReturnType<typeof openBlobStore>>;

/** Bytes that the network delivers in small pieces are written once there are this many. */
const writtenAtOnce = 1 << 20;

/**
 * Bytes by their SHA-256, apart for each tenant: a path never holds a UID or a name, and an upload never tells
 * whether another tenant has the same file. What `keep` was called for survives a power cut: file synced, renamed
 * into place, folder synced (design/security.md D2, D4).
 */
export const openBlobStore = async (root: string) => {
  const incoming = join(root, 'incoming');
  const folderOf = (tenantId: number, sha256: string) => join(root, String(tenantId), sha256.slice(0, 2));
  const pathOf = (tenantId: number, sha256: string) => join(folderOf(tenantId, sha256), sha256);
  const temporaryPaths = new WeakMap<Incoming, string>();
  const ensured = new Set<string>();

  const ensureFolder = async (folder: string, parent: string) => {
    if (ensured.has(folder)) return;
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await syncFolder(parent);
    ensured.add(folder);
  };

  const moveIntoPlace = async (tenantId: number, blob: Incoming) => {
    const path = temporaryPaths.get(blob);
    if (!path) throw new Error('These bytes were not received here, or have been kept already');
    const tenantFolder = join(root, String(tenantId));
    await ensureFolder(tenantFolder, root);
    await ensureFolder(folderOf(tenantId, blob.sha256), tenantFolder);
    await rename(path, pathOf(tenantId, blob.sha256));
    temporaryPaths.delete(blob);
  };

  await ensureFolder(root, join(root, '..'));
  await ensureFolder(incoming, root);
  // What a crash left half written was never acknowledged. What a server still writes is named after its process.
  const leftovers = (await readdir(incoming)).filter((name) => !isWrittenByAnother(Number.parseInt(name, 10)));
  for (const name of leftovers) await rm(join(incoming, name), { force: true });

  return {
    /** Writes a stream to a temporary file. Throws TooLarge past `limit` bytes; a failed stream leaves nothing behind. */
    receive: async (source: AsyncIterable<Buffer>, limit: number): Promise<Incoming> => {
      const path = join(incoming, `${process.pid}-${randomUUID()}`);
      const file = await open(path, constants.O_CREAT | constants.O_EXCL | constants.O_RDWR, 0o600);
      try {
        const hash = createHash('sha256');
        const size = await write(source, file, hash, limit);
        const blob: Incoming = {
          sha256: hash.digest('hex'),
          size,
          read: (offset, length) => readFrom(file, offset, length),
          sync: async () => {
            await file.datasync();
            await file.close();
          },
          discard: async () => {
            await file.close().catch(() => {});
            if (temporaryPaths.delete(blob)) await rm(path, { force: true });
          },
        };
        temporaryPaths.set(blob, path);
        return blob;
      } catch (error) {
        await file.close();
        await rm(path, { force: true });
        throw error;
      }
    },

    /** Gives synced bytes their place in a tenant's part of the store. When it resolves, all of them are durable. */
    keep: async (tenantId: number, blobs: readonly Incoming[]): Promise<void> => {
      await Promise.all(blobs.map((blob) => moveIntoPlace(tenantId, blob)));
      const folders = new Set(blobs.map(({ sha256 }) => folderOf(tenantId, sha256)));
      await Promise.all([...folders].map(syncFolder));
    },

    /** Reads `length` bytes from `offset`; fewer when the file ends before. */
    read: (tenantId: number, sha256: string, offset: number, length: number): Promise<Buffer> =>
      withOpen(pathOf(tenantId, sha256), (file) => readFrom(file, offset, length)),

    /** Reads pieces of a file to their places in a buffer. Throws when the file ends before one of them. */
    readInto: (tenantId: number, sha256: string, target: Buffer, pieces: readonly Piece[]): Promise<void> =>
      withOpen(pathOf(tenantId, sha256), async (file) => {
        for (const { offset, length, at } of pieces) {
          const { bytesRead } = await file.read(target, at, length, offset);
          if (bytesRead < length) throw new Error('A stored file is shorter than its rows say');
        }
      }),

    stream: (tenantId: number, sha256: string): ReadStream =>
      createReadStream(pathOf(tenantId, sha256), { highWaterMark: 1 << 20 }),

    remove: (tenantId: number, sha256: string): Promise<void> => unlink(pathOf(tenantId, sha256)),
  };
};

/** Whether another process of this machine, still running, has this id. */
const isWrittenByAnother = (pid: number): boolean => {
  if (!(pid > 0) || pid === process.pid) return false;
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
};

const write = async (source: AsyncIterable<Buffer>, file: FileHandle, hash: Hash, limit: number): Promise<number> => {
  let received = 0;
  let written = 0;
  let waiting: Buffer[] = [];
  const flush = async () => {
    await writeAll(file, Buffer.concat(waiting), written);
    waiting = [];
    written = received;
  };
  for await (const chunk of source) {
    received += chunk.length;
    if (received > limit) throw new TooLarge();
    hash.update(chunk);
    waiting.push(chunk);
    if (received - written >= writtenAtOnce) await flush();
  }
  await flush();
  return received;
};

/** On a disk that is nearly full, a write may write less than it was given without an error. */
const writeAll = async (file: FileHandle, bytes: Buffer, position: number): Promise<void> => {
  for (let at = 0; at < bytes.length;) {
    const { bytesWritten } = await file.write(bytes, at, bytes.length - at, position + at);
    at += bytesWritten;
  }
};

const readFrom = async (file: FileHandle, offset: number, length: number): Promise<Buffer> => {
  const buffer = Buffer.allocUnsafe(length);
  const { bytesRead } = await file.read(buffer, 0, length, offset);
  return buffer.subarray(0, bytesRead);
};

/** A new name in a folder survives a power cut only when the folder itself is synced. Windows cannot and need not. */
const syncFolder = async (folder: string) => {
  if (process.platform !== 'win32') await withOpen(folder, (handle) => handle.sync());
};

const withOpen = async <T>(path: string, use: (file: FileHandle) => Promise<T>): Promise<T> => {
  const file = await open(path);
  try {
    return await use(file);
  } finally {
    await file.close();
  }
};
