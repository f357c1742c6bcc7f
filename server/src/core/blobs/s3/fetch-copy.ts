import type { FileHandle } from 'node:fs/promises';
import type { BlobCache } from './blob-cache.ts';
import { DamagedFile, hasCode } from '#core/blobs/disk/file-system.ts';
import type { IncomingFolder } from '#core/blobs/disk/incoming-folder.ts';
import { objectBytes } from './object-bytes.ts';
import type { Bucket } from './s3-bucket.ts';

type Parts = {
  bucket: Bucket;
  incoming: IncomingFolder;
  cache: BlobCache;
  /** True when object names are the hash of their content, so copies can be verified. */
  isNamedByHash: boolean;
};

/** Tenant and hash of an object, and its key in the bucket. */
export type ObjectName = { tenantId: number; sha256: string; key: string };

const largeOnesRemembered = 10_000;

/** Fetches missing objects into the cache. Concurrent requests for one object share one fetch. */
export const createFetch = ({ bucket, incoming, cache, isNamedByHash }: Parts) => {
  const underWay = new Map<string, Promise<void>>();
  const large = new Set<string>();

  const fetch = async ({ tenantId, sha256, key }: ObjectName): Promise<void> => {
    const object = await bucket.get(key);
    if (!cache.takes(object.size)) {
      object.body.destroy();
      if (large.size >= largeOnesRemembered) large.clear();
      large.add(key);
      return;
    }
    const received = await incoming.receive(objectBytes(bucket, key, undefined, object), object.size);
    try {
      if (isNamedByHash && (await received.sha256) !== sha256) throw new DamagedFile();
      await received.written;
      await cache.put(tenantId, sha256, received.path, received.size);
    } finally {
      await received.discard();
    }
  };

  return {
    /**
     * Opens a copy. If the name is a hash, the copy is verified against it. Undefined when caching is off, the object
     * is too large, or the local disk is full; then the caller reads from the object store.
     */
    copy: async (object: ObjectName): Promise<FileHandle | undefined> => {
      if (!cache.takes(1)) return undefined;
      const cached = await cache.find(object.tenantId, object.sha256);
      if (cached || large.has(object.key)) return cached;
      const fetching = underWay.get(object.key) ?? fetch(object).finally(() => underWay.delete(object.key));
      underWay.set(object.key, fetching);
      try {
        await fetching;
      } catch (error) {
        if (!hasCode(error, 'ENOSPC') && !hasCode(error, 'EDQUOT')) throw error;
      }
      return cache.find(object.tenantId, object.sha256);
    },
  };
};
