import { type FileHandle, mkdir, open, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { isMissing } from './files.ts';

export type BlobCache = Awaited<ReturnType<typeof openBlobCache>>;

/** A larger file is read in ranges: nobody waits for all of it to see its first frame. */
const largestCopy = 64 << 20;

/**
 * Copies of stored bytes on this machine's disk, together at most `mostBytes`; what has not been read for the longest
 * goes first. What is put in has just been hashed. It begins empty: after a power cut nobody could say which of the
 * files are whole. Servers that share the folder may take one another's files away; those are fetched again.
 */
export const openBlobCache = async (folder: string, mostBytes: number) => {
  const sizes = new Map<string, number>();
  let bytes = 0;
  await rm(folder, { recursive: true, force: true });

  const keyOf = (tenantId: number, sha256: string) => join(String(tenantId), sha256.slice(0, 2), sha256);

  const forget = (key: string) => {
    bytes -= sizes.get(key) ?? 0;
    sizes.delete(key);
  };

  const drop = async (key: string) => {
    forget(key);
    await rm(join(folder, key), { force: true });
  };

  return {
    /** Whether a file of this size may go in: one alone must not push out most of the others. */
    takes: (size: number): boolean => size <= Math.min(largestCopy, mostBytes / 8),

    /** Opens a copy for reading; undefined when there is none. */
    find: async (tenantId: number, sha256: string): Promise<FileHandle | undefined> => {
      const key = keyOf(tenantId, sha256);
      const size = sizes.get(key);
      if (size === undefined) return undefined;
      try {
        const file = await open(join(folder, key));
        // A map keeps the order of insertion: put in again, it is the last to go.
        if (sizes.delete(key)) sizes.set(key, size);
        return file;
      } catch (error) {
        if (!isMissing(error)) throw error;
        forget(key);
        return undefined;
      }
    },

    /** Takes over a file of the same disk, which is gone from its place afterwards. */
    put: async (tenantId: number, sha256: string, path: string, size: number): Promise<void> => {
      const key = keyOf(tenantId, sha256);
      await mkdir(dirname(join(folder, key)), { recursive: true, mode: 0o700 });
      await rename(path, join(folder, key));
      forget(key);
      sizes.set(key, size);
      bytes += size;
      for (const oldest of sizes.keys()) {
        if (bytes <= mostBytes) return;
        await drop(oldest);
      }
    },

    remove: (tenantId: number, sha256: string): Promise<void> => drop(keyOf(tenantId, sha256)),
  };
};
