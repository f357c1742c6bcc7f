import { type FileHandle, mkdir, open, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { isMissing } from '#core/blobs/disk/file-system.ts';

export type BlobCache = Awaited<ReturnType<typeof openBlobCache>>;

/**
 * Bytes of the largest file that is cached. Larger files are read in ranges, so that their first frame appears early.
 */
const largestCopy = 64 << 20;

/**
 * Keeps copies of stored bytes on the local disk, at most `mostBytes` in total. Removes the least recently read copy
 * first. Callers add only verified bytes. The cache starts empty, because a power cut may leave incomplete files.
 * Servers that share the folder may delete each other's copies; missing copies are fetched again.
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
    /** True when a file of this size may be cached. Larger files would displace most of the other files. */
    takes: (size: number): boolean => size <= Math.min(largestCopy, mostBytes / 8),

    /** Opens a copy for reading. Undefined when there is no copy. */
    find: async (tenantId: number, sha256: string): Promise<FileHandle | undefined> => {
      const key = keyOf(tenantId, sha256);
      const size = sizes.get(key);
      if (size === undefined) return undefined;
      try {
        const file = await open(join(folder, key));
        // A Map keeps insertion order, so the copy inserted last is removed last.
        if (sizes.delete(key)) sizes.set(key, size);
        return file;
      } catch (error) {
        if (!isMissing(error)) throw error;
        forget(key);
        return undefined;
      }
    },

    /** Moves a file from the same disk into the cache. */
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
