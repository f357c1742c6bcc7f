import { randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readdir, readFile, rename, stat, statfs, unlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import type { BlobStore, Incoming, StoredBlob } from '#core/blob-store.ts';
import { createFolders, ignoreMissing, ownerName, readFrom, readPieces, syncFolder } from './files.ts';
import { createOpenFiles } from './open-files.ts';
import { openIncomingFolder, type Received } from './incoming-folder.ts';

const streamedAtOnce = 1 << 20;

/**
 * Stored bytes as files: root/tenant/aa/sha256. The folder may be shared by several servers. A file is synced under a
 * temporary name, renamed into place, and its folder synced. Windows keeps no power-cut promise for the folder.
 */
export const openLocalBlobStore = async (root: string): Promise<BlobStore> => {
  const incoming = await openIncomingFolder(root);
  await incoming.removeLeftovers();
  const folders = createFolders();
  const openFiles = createOpenFiles();
  const owner = join(root, ownerName);
  const temporaryPaths = new WeakMap<Incoming, string>();
  const folderOf = (tenantId: number, sha256: string) => join(root, String(tenantId), sha256.slice(0, 2));
  const pathOf = (tenantId: number, sha256: string) => join(folderOf(tenantId, sha256), sha256);

  const incomingBlob = (received: Received): Incoming => {
    const { sha256, size, path, read, close } = received;
    const blob: Incoming = {
      sha256,
      size,
      read,
      sync: async () => {
        await received.write();
        await received.datasync();
      },
      close,
      discard: () => (temporaryPaths.delete(blob) ? received.discard() : close()),
    };
    temporaryPaths.set(blob, path);
    return blob;
  };

  const moveIntoPlace = async (tenantId: number, blob: Incoming) => {
    const path = temporaryPaths.get(blob);
    // They are there already when the transaction that they belong to is tried again.
    if (!path && (await find(tenantId, blob.sha256))) return;
    if (!path) throw new Error('These bytes were not received here, or are not there any more');
    await blob.close();
    const tenantFolder = join(root, String(tenantId));
    await folders.ensure(tenantFolder, root);
    await folders.ensure(folderOf(tenantId, blob.sha256), tenantFolder);
    await rename(path, pathOf(tenantId, blob.sha256));
    // Should bytes have been damaged, those that take their place are read from now on.
    await openFiles.drop(pathOf(tenantId, blob.sha256));
    temporaryPaths.delete(blob);
  };

  const find = async (tenantId: number, sha256: string): Promise<StoredBlob | undefined> => {
    const file = await stat(pathOf(tenantId, sha256)).catch(ignoreMissing);
    return file && { tenantId, sha256, size: file.size, modifiedAt: file.mtime };
  };

  async function* listTenant(tenantId: number): AsyncGenerator<StoredBlob> {
    for (const folder of await namesIn(join(root, String(tenantId)), /^[0-9a-f]{2}$/)) {
      for (const sha256 of await namesIn(join(root, String(tenantId), folder), /^[0-9a-f]{64}$/)) {
        const blob = await find(tenantId, sha256);
        if (blob) yield blob;
      }
    }
  }

  return {
    receive: async (source, limit) => incomingBlob(await incoming.receive(source, limit)),

    keep: async (tenantId, blobs) => {
      await Promise.all(blobs.map((blob) => moveIntoPlace(tenantId, blob)));
      const touched = new Set(blobs.map(({ sha256 }) => folderOf(tenantId, sha256)));
      await Promise.all([...touched].map(syncFolder));
    },

    read: (tenantId, sha256, offset, length) =>
      openFiles.withFile(pathOf(tenantId, sha256), (file) => readFrom(file, offset, length)),

    readInto: (tenantId, sha256, target, pieces) =>
      openFiles.withFile(pathOf(tenantId, sha256), (file) => readPieces(file, target, pieces)),

    stream: (tenantId, sha256, range) => {
      if (range?.length === 0) return Readable.from([]);
      const bounds = range && { start: range.offset, end: range.offset + range.length - 1 };
      return createReadStream(pathOf(tenantId, sha256), { highWaterMark: streamedAtOnce, ...bounds });
    },

    stat: find,

    async *list(tenantId) {
      const tenants = tenantId === undefined ? (await namesIn(root, /^\d+$/)).map(Number) : [tenantId];
      for (const tenant of tenants) yield* listTenant(tenant);
    },

    remove: async (tenantId, sha256) => {
      await openFiles.drop(pathOf(tenantId, sha256));
      await unlink(pathOf(tenantId, sha256)).catch(ignoreMissing);
    },

    removeLeftovers: incoming.removeLeftovers,

    owner: async () => (await readFile(owner, 'utf8').catch(ignoreMissing))?.trim(),

    claim: async (installationId) => {
      // Whole under its name or not there at all, also for a server that starts at the same moment.
      const unfinished = `${owner}.${randomUUID()}`;
      await writeFile(unfinished, installationId, { mode: 0o600, flush: true });
      await rename(unfinished, owner);
      await syncFolder(root);
    },

    freeBytes: async () => {
      const { bavail, bsize } = await statfs(root);
      return bavail * bsize;
    },

    close: async () => {
      await openFiles.close();
      await incoming.close();
    },
  };
};

const namesIn = async (folder: string, shape: RegExp): Promise<string[]> => {
  const names = (await readdir(folder).catch(ignoreMissing)) ?? [];
  return names.filter((name) => shape.test(name)).toSorted();
};
