import { Readable } from 'node:stream';
import type { BlobStore, ByteRange, StoredBlob } from './blob-store.ts';
import { isMissing } from './disk/file-system.ts';

type Parts = {
  /** Stores new files. A file in both parts is read from this part. */
  written: BlobStore;
  /** Holds files stored before encryption was switched on or off. */
  other: BlobStore;
  /** The part that records the owner of the store. */
  plain: BlobStore;
};

const namesRemembered = 10_000;

/**
 * Combines a store of encrypted files and a store of plain files. A file may move from one to the other while it is
 * read.
 */
export const openTwoPartStore = ({ written, other, plain }: Parts): BlobStore => {
  const inOther = new Set<string>();

  /**
   * Returns the parts in lookup order. The first part comes twice, because the file may move into it during the lookup.
   */
  const placesOf = (tenantId: number, sha256: string): BlobStore[] => {
    if (inOther.has(nameOf(tenantId, sha256))) return [other, written];
    return [written, other, written];
  };

  const remember = (part: BlobStore, name: string) => {
    if (part === written) return;
    if (inOther.size >= namesRemembered) inOther.clear();
    inOther.add(name);
  };

  const reading = async <T>(tenantId: number, sha256: string, work: (part: BlobStore) => Promise<T>): Promise<T> => {
    let missing: unknown;
    for (const part of placesOf(tenantId, sha256)) {
      try {
        const read = await work(part);
        remember(part, nameOf(tenantId, sha256));
        return read;
      } catch (error) {
        if (!isMissing(error)) throw error;
        missing = error;
      }
    }
    throw missing;
  };

  async function* bytesOf(tenantId: number, sha256: string, range?: ByteRange): AsyncGenerator<Buffer> {
    let missing: unknown;
    for (const part of placesOf(tenantId, sha256)) {
      let hasBegun = false;
      try {
        for await (const chunk of part.stream(tenantId, sha256, range)) {
          hasBegun = true;
          yield chunk;
        }
        return;
      } catch (error) {
        if (hasBegun || !isMissing(error)) throw error;
        missing = error;
      }
    }
    throw missing;
  }

  return {
    receive: written.receive,
    keep: async (tenantId, blobs) => {
      await written.keep(tenantId, blobs);
      for (const { sha256 } of blobs) inOther.delete(nameOf(tenantId, await sha256));
    },
    read: (tenantId, sha256, offset, length) =>
      reading(tenantId, sha256, (part) => part.read(tenantId, sha256, offset, length)),
    readInto: (tenantId, sha256, target, pieces) =>
      reading(tenantId, sha256, (part) => part.readInto(tenantId, sha256, target, pieces)),
    stream: (tenantId, sha256, range) => Readable.from(bytesOf(tenantId, sha256, range), { objectMode: false }),
    stat: async (tenantId, sha256) =>
      (await written.stat(tenantId, sha256)) ??
      (await other.stat(tenantId, sha256)) ??
      // The file may have moved during the lookup.
      written.stat(tenantId, sha256),
    list: (tenantId) => merged(written.list(tenantId), other.list(tenantId)),
    remove: async (tenantId, sha256) => {
      await other.remove(tenantId, sha256);
      await written.remove(tenantId, sha256);
      inOther.delete(nameOf(tenantId, sha256));
    },
    removeLeftovers: async () => (await written.removeLeftovers()) + (await other.removeLeftovers()),
    owner: plain.owner,
    claim: plain.claim,
    freeBytes: written.freeBytes,
    writeProbe: written.writeProbe,
    close: async () => {
      await written.close();
      await other.close();
    },
  };
};

const nameOf = (tenantId: number, sha256: string): string => `${tenantId}/${sha256}`;

/** Merges two sorted lists. For a file in both lists, the entry of the first list counts. */
async function* merged(one: AsyncIterable<StoredBlob>, other: AsyncIterable<StoredBlob>): AsyncGenerator<StoredBlob> {
  const [ones, others] = [one[Symbol.asyncIterator](), other[Symbol.asyncIterator]()];
  try {
    let [a, b] = [await nextOf(ones), await nextOf(others)];
    while (a || b) {
      const [nameA, nameB] = [a && nameOf(a.tenantId, a.sha256), b && nameOf(b.tenantId, b.sha256)];
      const isA = a !== undefined && (nameB === undefined || (nameA ?? '') <= nameB);
      const next = isA ? a : b;
      if (next) yield next;
      if (nameA === nameB) [a, b] = [await nextOf(ones), await nextOf(others)];
      else if (isA) a = await nextOf(ones);
      else b = await nextOf(others);
    }
  } finally {
    await ones.return?.();
    await others.return?.();
  }
}

const nextOf = async (blobs: AsyncIterator<StoredBlob>): Promise<StoredBlob | undefined> => {
  const { value, done } = await blobs.next();
  return done ? undefined : value;
};
