import { randomUUID } from 'node:crypto';
import { createReadStream, existsSync } from 'node:fs';
import { rename, statfs, unlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import type { IncomingBlob } from '#core/blobs/blob-store.ts';
import type { Rename } from './disk-messages.ts';
import { createDiskThreads } from './disk-threads.ts';
import type { RawStore } from '#core/blobs/encrypted-blob-store.ts';
import {
  createFolders,
  ignoreMissing,
  inFull,
  ownerName,
  readFrom,
  readPieces,
  syncFolder,
  triedWith,
} from './file-system.ts';
import { createOpenFiles } from './open-files.ts';
import type { ReceivedFile } from './incoming-file.ts';
import { openIncomingFolder } from './incoming-folder.ts';
import { storedFiles } from './list-stored-files.ts';

const streamedAtOnce = 1 << 20;
/**
 * Milliseconds between checks of the free space. Between two checks, far fewer bytes arrive than the settings keep
 * free.
 */
const freeLookedAtEvery = 500;

/**
 * Streams a file. The file is opened at the first read, so no file stays open if the client leaves before. Readers
 * receive every error.
 */
async function* bytesOf(path: string, bounds: { start: number; end: number } | undefined): AsyncGenerator<Buffer> {
  yield* createReadStream(path, { highWaterMark: streamedAtOnce, ...bounds });
}

/**
 * Stores bytes as files: root/tenant/aa/sha256. Several servers may share the folder. A file is written under a
 * temporary name, synced and renamed; then its folder is synced. On Windows, a folder may lose a new name in a power
 * cut.
 */
export const openLocalBlobStore = async (root: string): Promise<RawStore> => {
  const threads = createDiskThreads();
  const incoming = await openIncomingFolder(root, { threads, isDurable: true });
  await incoming.removeLeftovers();
  const folders = createFolders();
  const openFiles = createOpenFiles();
  const { folderOf, pathOf, ...stored } = storedFiles(root);
  let free = { at: -Infinity, bytes: 0 };
  const temporaryPaths = new WeakMap<IncomingBlob, string>();

  const incomingBlob = ({ sha256, size, path, written, read, close, discard }: ReceivedFile): IncomingBlob => {
    const blob: IncomingBlob = {
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

  /** Returns the rename for a blob. Undefined when an aborted transaction has already stored the blob. */
  const moveOf = async (tenantId: number, blob: IncomingBlob): Promise<Rename | undefined> => {
    await blob.close();
    const from = temporaryPaths.get(blob);
    const sha256 = await blob.sha256;
    if (!from && (await stored.stat(tenantId, sha256))) return undefined;
    if (!from) throw new Error('These bytes were not received here or were discarded');
    const tenantFolder = join(root, String(tenantId));
    await folders.ensure(tenantFolder, root);
    await folders.ensure(folderOf(tenantId, sha256), tenantFolder);
    return { from, to: pathOf(tenantId, sha256) };
  };

  /**
   * Notes the blobs that a failed call has moved. The next call then renames them to their own name, which changes nothing,
   * and syncs their folders.
   */
  const noteMoved = (blobs: readonly IncomingBlob[], moves: readonly (Rename | undefined)[]): void => {
    for (const [index, blob] of blobs.entries()) {
      const move = moves[index];
      if (move && !existsSync(move.from) && existsSync(move.to)) temporaryPaths.set(blob, move.to);
    }
  };

  const writeNote = async (name: string, text: string) => {
    // Writes the note under a temporary name first, so that no other server reads half a note.
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
      try {
        await threads.rename(renames, [...new Set(renames.map(({ to }) => dirname(to)))]);
      } catch (error) {
        noteMoved(blobs, moves);
        throw error;
      }
      for (const blob of blobs) temporaryPaths.delete(blob);
      // Closes the old file of the same name. It may have been damaged, so later reads open the new file.
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
      // Syncs the removal to disk, because `encrypt-store` then reports that the old key is no longer needed.
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

    writeProbe: async () => {
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
