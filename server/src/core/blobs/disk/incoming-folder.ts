import { randomUUID } from 'node:crypto';
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { TooLarge } from '#core/blobs/blob-store.ts';
import { createHeartbeat } from './server-heartbeat.ts';
import { createFolders, makeFolder } from './file-system.ts';
import { type DiskOptions, type ReceivedFile, receiveFile } from './incoming-file.ts';
import { createSlabs } from './shared-buffers.ts';

export type IncomingFolder = Awaited<ReturnType<typeof openIncomingFolder>>;

const lengthOfId = randomUUID().length;

/** Opens the folder for received bytes. Several servers may share `root`; each recognizes its own files. */
export const openIncomingFolder = async (root: string, { threads, isDurable }: DiskOptions) => {
  const serverId = randomUUID();
  const incoming = join(root, 'incoming');
  const servers = join(root, 'servers');
  const folders = createFolders();
  await makeFolder(root);
  for (const folder of [incoming, servers]) await folders.ensure(folder, root);
  const alive = await createHeartbeat(servers, serverId);
  const slabs = createSlabs();

  return {
    folder: incoming,

    /** Receives a stream. Throws TooLarge when more than `limit` bytes arrive. After a failure no file remains. */
    receive: (source: AsyncIterable<Buffer>, limit: number): Promise<ReceivedFile> =>
      receiveFile(join(incoming, `${serverId}-${randomUUID()}`), source, { threads, slabs, isDurable }, (size) => {
        if (size > limit) throw new TooLarge();
      }),

    /**
     * Removes files that no running server is writing. After a crash they belong to uploads that were not confirmed.
     * Returns how many.
     */
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
