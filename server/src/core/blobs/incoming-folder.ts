import { randomUUID } from 'node:crypto';
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { TooLarge } from '#core/blob-store.ts';
import { createAlive } from './alive.ts';
import { createFolders, makeFolder } from './files.ts';
import { type DiskOptions, type Received, receiveFile } from './incoming-file.ts';
import { createSlabs } from './slabs.ts';

export type IncomingFolder = Awaited<ReturnType<typeof openIncomingFolder>>;

const lengthOfId = randomUUID().length;

/** Where bytes are until it is decided about them. Several servers may share `root`; each knows its own files. */
export const openIncomingFolder = async (root: string, { threads, isDurable }: DiskOptions) => {
  const serverId = randomUUID();
  const incoming = join(root, 'incoming');
  const servers = join(root, 'servers');
  const folders = createFolders();
  await makeFolder(root);
  for (const folder of [incoming, servers]) await folders.ensure(folder, root);
  const alive = await createAlive(servers, serverId);
  const slabs = createSlabs();

  return {
    folder: incoming,

    /** Takes a stream in. Throws TooLarge past `limit` bytes; a failed stream leaves nothing behind. */
    receive: (source: AsyncIterable<Buffer>, limit: number): Promise<Received> =>
      receiveFile(join(incoming, `${serverId}-${randomUUID()}`), source, { threads, slabs, isDurable }, (size) => {
        if (size > limit) throw new TooLarge();
      }),

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
