import { randomUUID } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { asItIs } from './cache-encryption.ts';

/** Share of the size limit that a cleanup leaves. */
const keptShare = 0.8;

/** Bytes in each folder. Unknown until the first write after a start. Several caches of a server may share a folder. */
const usage = new Map<string, { bytes?: number; isTidying: boolean }>();

const usageOf = (folder: string) => {
  const used = usage.get(folder) ?? { isTidying: false };
  usage.set(folder, used);
  return used;
};

/**
 * Caches rendered images on disk. A lost image is rendered again. Above `mostBytes`, the oldest images are removed.
 * Keys are hexadecimal digests, so that paths contain no patient data. `form` is the format on disk.
 */
export const createPictureCache = (folder: string, mostBytes: number, form = asItIs) => {
  const pathOf = (tenantId: number, key: string) => join(folder, String(tenantId), key.slice(0, 2), key);
  const used = usageOf(folder);

  const files = async () => {
    const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
    const paths = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
    const known = await Promise.all(
      paths.map((path) =>
        stat(path).then(
          ({ size, mtimeMs }) => ({ path, size, mtimeMs }),
          () => [],
        ),
      ),
    );
    return known.flat();
  };

  const tidy = async () => {
    const oldestFirst = (await files()).toSorted((one, other) => one.mtimeMs - other.mtimeMs);
    let left = oldestFirst.reduce((sum, { size }) => sum + size, 0);
    if (left > mostBytes) {
      for (const { path, size } of oldestFirst) {
        if (left <= keptShare * mostBytes) break;
        await rm(path, { force: true });
        left -= size;
      }
    }
    used.bytes = left;
  };

  const write = (path: string, bytes: Buffer) => writeFile(path, bytes, { mode: 0o600 });

  return {
    find: (tenantId: number, key: string): Promise<Buffer | undefined> =>
      readFile(pathOf(tenantId, key))
        .then((cachedBytes) => form.read(tenantId, key, cachedBytes))
        .catch(() => undefined),

    put: async (tenantId: number, key: string, picture: Buffer): Promise<void> => {
      const path = pathOf(tenantId, key);
      const encrypted = form.write(tenantId, key, picture);
      // Writes under a temporary name first, because other requests may read the file at the same time.
      const unfinished = `${path}.${randomUUID()}`;
      await write(unfinished, encrypted).catch(async () => {
        // A tenant has only 256 folders, so soon all of them exist.
        await mkdir(dirname(path), { recursive: true, mode: 0o700 });
        await write(unfinished, encrypted);
      });
      await rename(unfinished, path);
      if (used.bytes !== undefined) used.bytes += encrypted.length;
      if (used.isTidying || (used.bytes !== undefined && used.bytes <= mostBytes)) return;
      used.isTidying = true;
      await tidy().finally(() => {
        used.isTidying = false;
      });
    },
  };
};
