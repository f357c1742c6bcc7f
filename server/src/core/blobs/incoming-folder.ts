import { createHash, randomUUID } from 'node:crypto';
import { readdir, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { TooLarge } from '#core/blob-store.ts';
import { createAlive } from './alive.ts';
import { createFolders } from './files.ts';
import { createIncomingFile, type IncomingFile } from './incoming-file.ts';

/** Bytes that have arrived; they are to be closed, or discarded. */
export type Received = Omit<IncomingFile, 'append' | 'end'> & { sha256: string; size: number };

export type IncomingFolder = Awaited<ReturnType<typeof openIncomingFolder>>;

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

    /** Takes a stream in. Throws TooLarge past `limit` bytes; a failed stream leaves nothing behind. */
    receive: async (source: AsyncIterable<Buffer>, limit: number): Promise<Received> => {
      const { append, end, ...file } = createIncomingFile(join(incoming, `${serverId}-${randomUUID()}`));
      try {
        const hash = createHash('sha256');
        let size = 0;
        for await (const chunk of source) {
          size += chunk.length;
          if (size > limit) throw new TooLarge();
          hash.update(chunk);
          await append(chunk);
        }
        await end();
        return { sha256: hash.digest('hex'), size, ...file };
      } catch (error) {
        await file.discard();
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
