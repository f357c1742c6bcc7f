import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { BlobStore, StoredBlob } from '#core/blobs/blob-store.ts';
import { encryptedName, ignoreMissing, ownerName } from './file-system.ts';

type StoredFiles = Pick<BlobStore, 'owner' | 'stat' | 'list'> & {
  /** Returns a short text saved in the store under this name, if any. */
  note: (name: string) => Promise<string | undefined>;
  folderOf: (tenantId: number, sha256: string) => string;
  pathOf: (tenantId: number, sha256: string) => string;
};

/** Reads tenant, hash, size and time of stored files (root/tenant/aa/sha256) without opening or changing the files. */
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

  const note = async (name: string) => (await readFile(join(root, name), 'utf8').catch(ignoreMissing))?.trim();

  return {
    folderOf,
    pathOf,
    note,
    owner: () => note(ownerName),
    stat: find,
    async *list(tenantId) {
      const tenants = tenantId === undefined ? (await namesIn(root, /^\d+$/)).map(Number) : [tenantId];
      for (const tenant of tenants) yield* listTenant(tenant);
    },
  };
};

/**
 * Reads the same facts as `storedFiles`, of encrypted and plain files. One store may contain both
 * (docs/decisions/0056).
 */
export const storedFilesOfBothParts = (root: string): Pick<StoredFiles, 'note' | 'owner' | 'stat' | 'list'> => {
  const [plain, encrypted] = [storedFiles(root), storedFiles(join(root, encryptedName))];
  return {
    note: plain.note,
    owner: plain.owner,
    stat: async (tenantId, sha256) => (await plain.stat(tenantId, sha256)) ?? encrypted.stat(tenantId, sha256),
    async *list(tenantId) {
      yield* plain.list(tenantId);
      yield* encrypted.list(tenantId);
    },
  };
};

const namesIn = async (folder: string, shape: RegExp): Promise<string[]> => {
  const names = (await readdir(folder).catch(ignoreMissing)) ?? [];
  return names.filter((name) => shape.test(name)).toSorted();
};
