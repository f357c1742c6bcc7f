import { randomUUID } from 'node:crypto';
import type { FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import type { ByteRange, IncomingBlob, StoredBlob } from '#core/blobs/blob-store.ts';
import { openBlobCache } from './blob-cache.ts';
import { createDiskThreads } from '#core/blobs/disk/disk-threads.ts';
import type { RawStore } from '#core/blobs/encrypted-blob-store.ts';
import { createFetch } from './fetch-copy.ts';
import {
  hasCode,
  inFull,
  isMissing,
  ownerName,
  readFrom,
  readPieces,
  tooShort,
  triedWith,
} from '#core/blobs/disk/file-system.ts';
import { inParallel } from '#core/resources/run-in-parallel.ts';
import type { ReceivedFile } from '#core/blobs/disk/incoming-file.ts';
import { type IncomingFolder, openIncomingFolder } from '#core/blobs/disk/incoming-folder.ts';
import { objectBytes } from './object-bytes.ts';
import { type Bucket, openBucket } from './s3-bucket.ts';
import type { ObjectStorage } from '#core/blobs/storage-url.ts';

/** The local folder of one server for incoming bytes and cached copies. */
export type LocalPart = {
  folder: string;
  cacheBytes: number;
  /**
   * True when objects are encrypted and named by the hash of their plain content. A damaged object then fails to
   * decrypt.
   */
  isEncrypted?: boolean;
};

/** One batch sends this number of objects in parallel, and one request reads this number of pieces in parallel. */
const atOnce = 16;

/**
 * Stores bytes as objects: prefix/tenant/aa/sha256. Received bytes wait on the local disk until `keep`. The object
 * store makes them durable, so the local disk is not synced. A read fetches the whole object into the cache, so all
 * frames of a file need one request.
 */
export const openS3BlobStore = async (
  storage: ObjectStorage,
  { folder, cacheBytes, isEncrypted = false }: LocalPart,
): Promise<RawStore> => {
  const threads = createDiskThreads();
  const incoming = await openIncomingFolder(folder, { threads, isDurable: false });
  await incoming.removeLeftovers();
  const bucket = await openBucket(storage);
  const cache = await openBlobCache(join(folder, 'copies'), cacheBytes);
  const { copy } = createFetch({ bucket, incoming, cache, isNamedByHash: !isEncrypted });
  const received = new WeakMap<IncomingBlob, Pick<ReceivedFile, 'path' | 'size' | 'sha256'> & { keptFor?: number }>();
  const root = storage.prefix === '' ? '' : `${storage.prefix}/`;
  const keyOf = (tenantId: number, sha256: string) => `${root}${tenantId}/${sha256.slice(0, 2)}/${sha256}`;

  const incomingBlob = ({ sha256, size, path, written, read, close, discard }: ReceivedFile): IncomingBlob => {
    const blob: IncomingBlob = {
      sha256,
      size,
      read,
      sync: () => written,
      close,
      discard: async () => {
        await close();
        const { keptFor } = received.get(blob) ?? {};
        received.delete(blob);
        // Caches new files, because users usually view them next. Errors of the cache are ignored.
        if (keptFor !== undefined && cache.takes(size)) {
          await cache.put(keptFor, await blob.sha256, path, size).catch(() => {});
        }
        await discard();
      },
    };
    received.set(blob, { path, size, sha256 });
    return blob;
  };

  const put = async (tenantId: number, blob: IncomingBlob) => {
    const file = received.get(blob);
    if (!file) throw new Error('These bytes were not received here or were discarded');
    await blob.close();
    // If the stored bytes are encrypted, their hash differs from the name.
    await bucket.put(keyOf(tenantId, await blob.sha256), { ...file, sha256: await file.sha256 });
    received.set(blob, { ...file, keptFor: tenantId });
  };

  const find = async (tenantId: number, sha256: string): Promise<StoredBlob | undefined> => {
    try {
      return { tenantId, sha256, ...(await bucket.facts(keyOf(tenantId, sha256))) };
    } catch (error) {
      if (!isMissing(error)) throw error;
      return undefined;
    }
  };

  const readRange = async (key: string, range: ByteRange): Promise<Buffer> => {
    if (range.length === 0) return Buffer.alloc(0);
    try {
      return await buffer(objectBytes(bucket, key, range));
    } catch (error) {
      if (!hasCode(error, 'ERANGE')) throw error;
      return Buffer.alloc(0);
    }
  };

  /** Reads from a cached copy if possible, else from the bucket. */
  const reading = async <T>(
    tenantId: number,
    sha256: string,
    fromCopy: (file: FileHandle) => Promise<T>,
    fromBucket: (key: string) => Promise<T>,
  ): Promise<T> => {
    const key = keyOf(tenantId, sha256);
    const file = await copy({ tenantId, sha256, key });
    if (!file) return fromBucket(key);
    try {
      return await fromCopy(file);
    } finally {
      await file.close();
    }
  };

  const note = async (name: string): Promise<string | undefined> => {
    try {
      return (await buffer(objectBytes(bucket, `${root}${name}`))).toString();
    } catch (error) {
      if (!isMissing(error)) throw error;
      return undefined;
    }
  };

  const writeNote = (name: string, text: string) => putText(bucket, incoming, `${root}${name}`, text);

  await assertWritable(bucket, incoming, root);
  return {
    receive: async (source, limit) => incomingBlob(await incoming.receive(source, limit)),

    keep: (tenantId, blobs) => inParallel(blobs, atOnce, (blob) => put(tenantId, blob)),

    read: (tenantId, sha256, offset, length) =>
      reading(
        tenantId,
        sha256,
        (file) => readFrom(file, offset, length),
        (key) => readRange(key, { offset, length }),
      ),

    readInto: (tenantId, sha256, target, pieces) =>
      reading(
        tenantId,
        sha256,
        (file) => readPieces(file, target, pieces),
        (key) =>
          inParallel(pieces, atOnce, async ({ offset, length, at }) => {
            const bytes = await readRange(key, { offset, length });
            if (bytes.length < length) throw tooShort();
            bytes.copy(target, at);
          }),
      ),

    stream: (tenantId, sha256, range) => {
      if (range?.length === 0) return Readable.from([]);
      const bytes = objectBytes(bucket, keyOf(tenantId, sha256), range);
      return Readable.from(range ? inFull(bytes, range.length) : bytes, { objectMode: false });
    },

    stat: find,

    async *list(tenantId) {
      const shape = /^(\d+)\/[0-9a-f]{2}\/([0-9a-f]{64})$/;
      for await (const object of bucket.list(tenantId === undefined ? root : `${root}${tenantId}/`)) {
        const [, tenant, sha256] = shape.exec(object.key.slice(root.length)) ?? [];
        if (!tenant || !sha256) continue;
        yield { tenantId: Number(tenant), sha256, size: object.size, modifiedAt: object.modifiedAt };
      }
    },

    remove: async (tenantId, sha256) => {
      await bucket.remove(keyOf(tenantId, sha256));
      await cache.remove(tenantId, sha256);
    },

    removeLeftovers: incoming.removeLeftovers,

    sizeOf: (tenantId, sha256) =>
      reading(
        tenantId,
        sha256,
        async (file) => (await file.stat()).size,
        async (key) => (await bucket.facts(key)).size,
      ),

    forget: cache.remove,

    owner: () => note(ownerName),

    claim: (installationId) => writeNote(ownerName, installationId),

    note,

    writeNote,

    freeBytes: () => Promise.resolve(null),

    writeProbe: () => tryOut(bucket, incoming, root),

    close: async () => {
      bucket.close();
      await incoming.close();
      await threads.close();
    },
  };
};

/** Writes, reads and removes an object. */
const tryOut = async (bucket: Bucket, incoming: IncomingFolder, root: string) => {
  const key = `${root}check/${randomUUID()}`;
  await putText(bucket, incoming, key, triedWith);
  await buffer(objectBytes(bucket, key));
  await bucket.remove(key);
};

/** Throws an error if the bucket is not writable, because a server that cannot store anything must not start. */
const assertWritable = async (bucket: Bucket, incoming: IncomingFolder, root: string) => {
  try {
    await tryOut(bucket, incoming, root);
  } catch (error) {
    bucket.close();
    await incoming.close();
    throw error;
  }
};

const putText = async (bucket: Bucket, incoming: IncomingFolder, key: string, text: string) => {
  const received = await incoming.receive(Readable.from([Buffer.from(text)]), text.length);
  try {
    await received.written;
    await bucket.put(key, { ...received, sha256: await received.sha256 });
  } finally {
    await received.discard();
  }
};
