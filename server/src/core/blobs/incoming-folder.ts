import { createHash, type Hash, randomUUID } from 'node:crypto';
import { constants } from 'node:fs';
import { type FileHandle, open, readdir, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { TooLarge } from '#core/blob-store.ts';
import { createAlive } from './alive.ts';
import { createFolders } from './files.ts';

/** Bytes in a temporary file, still open for reading. Whoever received them closes it and takes it away. */
export type ReceivedFile = { sha256: string; size: number; path: string; file: FileHandle };

export type IncomingFolder = Awaited<ReturnType<typeof openIncomingFolder>>;

/** Bytes that the network delivers in small pieces are written once there are this many. */
const writtenAtOnce = 1 << 20;
const lengthOfId = randomUUID().length;

/** Where bytes are written while they are hashed. Several servers may share `root`; each knows its own files. */
export const openIncomingFolder = async (root: string) => {
  const serverId = randomUUID();
  const incoming = join(root, 'incoming');
  const servers = join(root, 'servers');
  const folders = createFolders();
  await folders.ensure(root, dirname(root));
  for (const folder of [incoming, servers]) await folders.ensure(folder, root);
  const alive = await createAlive(servers, serverId);

  return {
    folder: incoming,

    /** Writes a stream to a temporary file. Throws TooLarge past `limit` bytes; a failed stream leaves nothing behind. */
    receive: async (source: AsyncIterable<Buffer>, limit: number): Promise<ReceivedFile> => {
      const path = join(incoming, `${serverId}-${randomUUID()}`);
      const file = await open(path, constants.O_CREAT | constants.O_EXCL | constants.O_RDWR, 0o600);
      try {
        const hash = createHash('sha256');
        const size = await write(source, file, hash, limit);
        return { sha256: hash.digest('hex'), size, path, file };
      } catch (error) {
        await file.close();
        await rm(path, { force: true });
        throw error;
      }
    },

    /** Removes what no running server is writing: a crash left it, and it was never acknowledged. Returns how many. */
    removeLeftovers: async (): Promise<number> => {
      let removed = 0;
      for (const name of await readdir(incoming)) {
        if (await alive.isRunning(name.slice(0, lengthOfId))) continue;
        await rm(join(incoming, name), { force: true });
        removed += 1;
      }
      await alive.tidy();
      return removed;
    },

    close: alive.close,
  };
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
