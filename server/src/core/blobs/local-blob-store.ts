import { randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { rename, statfs, unlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import type { Incoming } from '#core/blob-store.ts';
import type { Rename } from './disk-messages.ts';
import { createDiskThreads } from './disk-threads.ts';
import type { RawStore } from './encrypted-blob-store.ts';
import {
  createFolders,
  ignoreMissing,
  inFull,
  ownerName,
  readFrom,
  readPieces,
  syncFolder,
  triedWith,
} from './files.ts';
import { createOpenFiles } from './open-files.ts';
import type { Received } from './incoming-file.ts';
import { openIncomingFolder } from './incoming-folder.ts';
import { storedFiles } from './stored-files.ts';

const streamedAtOnce = 1 << 20;
/** Milliseconds. What must be kept free is far more than arrives meanwhile. */
const freeLookedAtEvery = 500;

/**
 * The bytes of a file, which is opened when they are first asked for: a reader that went away before leaves no file open, and
 * what goes wrong has somebody to hear it.
 */
async function* bytesOf(path: string, bounds: { start: number; end: number } | undefined): AsyncGenerator<Buffer> {
  yield* createReadStream(path, { highWaterMark: streamedAtOnce, ...bounds });
}

/**
 * Stored bytes as files: root/tenant/aa/sha256. The folder may be shared by several servers. A file is synced under a
 * temporary name, renamed into place, and its folder synced. Windows keeps no power-cut promise for the folder.
 */
export const openLocalBlobStore = async (root: string): Promise<RawStore> => {
  const threads = createDiskThreads();
  const incoming = await openIncomingFolder(root, { threads, isDurable: true });
  await incoming.removeLeftovers();
  const folders = createFolders();
  const openFiles = createOpenFiles();
  const { folderOf, pathOf, ...stored } = storedFiles(root);
  let free = { at: -Infinity, bytes: 0 };
  const temporaryPaths = new WeakMap<Incoming, string>();

  const incomingBlob = ({ sha256, size, path, written, read, close, discard }: Received): Incoming => {
    const blob: Incoming = {
      sha256,
      size,
      read,
      sync: () => written,
      close,
      discard: () => (temporaryPaths.delete(blob) ? discard() : close()),
    };
    temporaryPaths.set(blob, path);
    return blob;
  };

  /** Where the bytes are and have to be; undefined when they are there already, from a transaction that was given up. */
  const moveOf = async (tenantId: number, blob: Incoming): Promise<Rename | undefined> => {
    await blob.close();
    const from = temporaryPaths.get(blob);
    const sha256 = await blob.sha256;
    if (!from && (await stored.stat(tenantId, sha256))) return undefined;
    if (!from) throw new Error('These bytes were not received here, or are not there any more');
    const tenantFolder = join(root, String(tenantId));
    await folders.ensure(tenantFolder, root);
    await folders.ensure(folderOf(tenantId, sha256), tenantFolder);
    return { from, to: pathOf(tenantId, sha256) };
  };

  const writeNote = async (name: string, text: string) => {
    // Whole under its name or not there at all, also for a server that starts at the same moment.
    const unfinished = join(root, `${name}.${randomUUID()}`);
    await writeFile(unfinished, text, { mode: 0o600, flush: true });
    await rename(unfinished, join(root, name));
    await syncFolder(root);
  };

  return {
    ...stored,

    receive: async (source, limit) => incomingBlob(await incoming.receive(source, limit)),

    keep: async (tenantId, blobs) => {
      const moves = await Promise.all(blobs.map((blob) => moveOf(tenantId, blob)));
      const renames = moves.filter((move) => move !== undefined);
      await threads.rename(renames, [...new Set(renames.map(({ to }) => dirname(to)))]);
      for (const blob of blobs) temporaryPaths.delete(blob);
      // Should bytes have been damaged, those that take their place are read from now on.
      await Promise.all(renames.map(({ to }) => openFiles.drop(to)));
    },

    read: (tenantId, sha256, offset, length) =>
      openFiles.withFile(pathOf(tenantId, sha256), (file) => readFrom(file, offset, length)),

    readInto: (tenantId, sha256, target, pieces) =>
      openFiles.withFile(pathOf(tenantId, sha256), (file) => readPieces(file, target, pieces)),

    stream: (tenantId, sha256, range) => {
      if (range?.length === 0) return Readable.from([]);
      const bounds = range && { start: range.offset, end: range.offset + range.length - 1 };
      const bytes = bytesOf(pathOf(tenantId, sha256), bounds);
      return Readable.from(range ? inFull(bytes, range.length) : bytes, { objectMode: false });
    },

    remove: async (tenantId, sha256) => {
      await openFiles.drop(pathOf(tenantId, sha256));
      await unlink(pathOf(tenantId, sha256)).catch(ignoreMissing);
      // Removed for good: whoever brings all files under a new key says that the former one is not needed.
      await syncFolder(folderOf(tenantId, sha256)).catch(ignoreMissing);
    },

    removeLeftovers: incoming.removeLeftovers,

    sizeOf: (tenantId, sha256) =>
      openFiles.withFile(pathOf(tenantId, sha256), async (file) => (await file.stat()).size),

    forget: (tenantId, sha256) => openFiles.drop(pathOf(tenantId, sha256)),

    claim: (installationId) => writeNote(ownerName, installationId),

    writeNote,

    freeBytes: async () => {
      if (performance.now() - free.at > freeLookedAtEvery) {
        const { bavail, bsize } = await statfs(root);
        free = { at: performance.now(), bytes: bavail * bsize };
      }
      return free.bytes;
    },

    tryOut: async () => {
      const { written, discard } = await incoming.receive(Readable.from([Buffer.from(triedWith)]), triedWith.length);
      await written.finally(discard);
    },

    close: async () => {
      await openFiles.close();
      await incoming.close();
      await threads.close();
    },
  };
};
