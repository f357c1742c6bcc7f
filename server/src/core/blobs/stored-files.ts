import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { BlobStore, StoredBlob } from '#core/blob-store.ts';
import { ignoreMissing, ownerName } from './files.ts';

type StoredFiles = Pick<BlobStore, 'owner' | 'stat' | 'list'> & {
  folderOf: (tenantId: number, sha256: string) => string;
  pathOf: (tenantId: number, sha256: string) => string;
};

/** What can be said of stored files without reading or changing any: root/tenant/aa/sha256. */
export const storedFiles = (root: string): StoredFiles => {
  const folderOf = (tenantId: number, sha256: string) => join(root, String(tenantId), sha256.slice(0, 2));
  const pathOf = (tenantId: number, sha256: string) => join(folderOf(tenantId, sha256), sha256);

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
    folderOf,
    pathOf,
    owner: async () => (await readFile(join(root, ownerName), 'utf8').catch(ignoreMissing))?.trim(),
    stat: find,
    async *list(tenantId) {
      const tenants = tenantId === undefined ? (await namesIn(root, /^\d+$/)).map(Number) : [tenantId];
      for (const tenant of tenants) yield* listTenant(tenant);
    },
  };
};

const namesIn = async (folder: string, shape: RegExp): Promise<string[]> => {
  const names = (await readdir(folder).catch(ignoreMissing)) ?? [];
  return names.filter((name) => shape.test(name)).toSorted();
};
