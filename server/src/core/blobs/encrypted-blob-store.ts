import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import type { BlobStore, ByteRange, Incoming } from '#core/blob-store.ts';
import {
  chunksOf,
  decrypting,
  type EncryptedFile,
  encrypting,
  headerBytes,
  keyIdOf,
  openChunks,
  openFile,
  sealBytes,
  sizeOfStored,
  storedSize,
} from './encrypted-format.ts';
import { DamagedFile, tooShort } from './files.ts';
import { inParallel } from './in-parallel.ts';
import type { StorageKeys } from './storage-keys.ts';

/** What encrypted files are kept in: a store that lets them be named by what was encrypted. */
export type RawStore = BlobStore & {
  /** How many bytes are stored, from a copy if there can be one. With the code ENOENT it throws where there are none. */
  sizeOf: (tenantId: number, sha256: string) => Promise<number>;
  /** Forgets what is open or copied of stored bytes: they are to be read where they are. */
  forget: (tenantId: number, sha256: string) => Promise<void>;
  /** A short text that the store keeps of itself under a name; undefined where there is none. */
  note: (name: string) => Promise<string | undefined>;
  writeNote: (name: string, text: string) => Promise<void>;
};

/** `isCurrent`: whether a file is encrypted with the key that is used now. */
export type EncryptedBlobStore = BlobStore & { isCurrent: (tenantId: number, sha256: string) => Promise<boolean> };

const filesRemembered = 10_000;
/**
 * Milliseconds after which the store is asked again whether it says that the key is needed: `encrypt-store` may have been told of
 * another one and have taken it away, while this server still encrypts with it.
 */
const notedFor = 60_000;
/** Pieces that one answer reads at once. */
const atOnce = 16;

/**
 * The same bytes, encrypted before they reach a disk (docs/decisions/0056). Hashes and sizes are those of what came in,
 * ranges are read by the chunks that have them, and what has changed is refused as damaged. `noteKey` is done before
 * the first file is kept, and now and then: it says in the store, for good, which key is needed from then on.
 */
export const encryptedBlobStore = (
  raw: RawStore,
  keys: StorageKeys,
  noteKey: () => Promise<void>,
): EncryptedBlobStore => {
  const tenants = new WeakMap<Incoming, number>();
  const opened = new Map<string, EncryptedFile>();
  let noted: { at: number; done: Promise<void> } | undefined;

  const receive: BlobStore['receive'] = async (source, limit, tenantId) => {
    if (!keys.current) throw new Error('There is no key to encrypt with');
    const { bytes, facts } = encrypting(source, limit, keys.current, tenantId);
    const blob = await raw.receive(bytes, storedSize(limit), tenantId);
    const { sha256, size, file } = facts();
    const readStored = blob.read;
    const read = async (offset: number, length: number) =>
      readRange(file, { offset, length: Math.max(0, Math.min(length, size - offset)) }, readStored);
    tenants.set(blob, tenantId);
    // The very same object: the store below knows its bytes by it.
    return Object.assign(blob, { sha256: Promise.resolve(sha256), size, read });
  };

  const keep: BlobStore['keep'] = async (tenantId, blobs) => {
    // Nobody could read them again.
    if (blobs.some((blob) => tenants.get(blob) !== tenantId)) throw new Error('These bytes are encrypted for others');
    if (!noted || performance.now() - noted.at > notedFor) noted = { at: performance.now(), done: noteKey() };
    await noted.done.catch((error: unknown) => {
      noted = undefined;
      throw error;
    });
    await raw.keep(tenantId, blobs);
    for (const { sha256 } of blobs) opened.delete(nameOf(tenantId, await sha256));
  };

  const open = async (tenantId: number, sha256: string): Promise<EncryptedFile> => {
    const name = nameOf(tenantId, sha256);
    const known = opened.get(name);
    if (known) return known;
    const [header, stored] = await Promise.all([
      raw.read(tenantId, sha256, 0, headerBytes),
      raw.sizeOf(tenantId, sha256),
    ]);
    const seal = await raw.read(tenantId, sha256, Math.max(0, stored - sealBytes), sealBytes);
    const file = openFile({ header, seal, stored }, keys, { tenantId, sha256 });
    const [oldest] = opened.keys();
    if (opened.size >= filesRemembered && oldest !== undefined) opened.delete(oldest);
    opened.set(name, file);
    return file;
  };

  /** Another server may have put the same bytes there anew, under another key of their own. */
  const reading = async <T>(
    tenantId: number,
    sha256: string,
    work: (file: EncryptedFile, readStored: ReadStored) => Promise<T>,
  ): Promise<T> => {
    const attempt = async () =>
      work(await open(tenantId, sha256), (offset, length) => raw.read(tenantId, sha256, offset, length));
    try {
      return await attempt();
    } catch (error) {
      if (!(error instanceof DamagedFile)) throw error;
      opened.delete(nameOf(tenantId, sha256));
      await raw.forget(tenantId, sha256);
      return attempt();
    }
  };

  /** All that a stream needs, past copies: who streams a file reads it once. */
  async function* wholeOrRange(tenantId: number, sha256: string, wanted?: ByteRange): AsyncGenerator<Buffer> {
    const part = (offset: number, length: number) => raw.stream(tenantId, sha256, { offset, length });
    const stored = (await raw.stat(tenantId, sha256))?.size;
    if (stored !== undefined && stored < headerBytes + sealBytes) throw new DamagedFile();
    const header = await buffer(part(0, headerBytes));
    if (stored === undefined) throw new DamagedFile();
    const seal = await buffer(part(stored - sealBytes, sealBytes));
    const file = openFile({ header, seal, stored }, keys, { tenantId, sha256 });
    const range = wanted ?? { offset: 0, length: file.size };
    if (range.offset + range.length > file.size) throw tooShort();
    if (range.length === 0) return;
    const { offset, length } = chunksOf(file, range);
    yield* decrypting(file, part(offset, length), range);
  }

  async function* bytesOf(tenantId: number, sha256: string, range?: ByteRange): AsyncGenerator<Buffer> {
    for (const isLast of [false, true]) {
      let hasBegun = false;
      try {
        for await (const piece of wholeOrRange(tenantId, sha256, range)) {
          hasBegun = true;
          yield piece;
        }
        return;
      } catch (error) {
        if (isLast || hasBegun || !(error instanceof DamagedFile)) throw error;
      }
    }
  }

  return {
    receive,
    keep,

    read: (tenantId, sha256, offset, length) =>
      reading(tenantId, sha256, (file, readStored) =>
        readRange(file, { offset, length: Math.max(0, Math.min(length, file.size - offset)) }, readStored),
      ),

    readInto: (tenantId, sha256, target, pieces) =>
      reading(tenantId, sha256, async (file, readStored) => {
        if (pieces.some(({ offset, length }) => offset + length > file.size)) throw tooShort();
        await inParallel(pieces, atOnce, ({ at, ...range }) =>
          readRangeInto(file, range, readStored, target.subarray(at, at + range.length)),
        );
      }),

    stream: (tenantId, sha256, range) => Readable.from(bytesOf(tenantId, sha256, range), { objectMode: false }),

    stat: async (tenantId, sha256) => {
      const blob = await raw.stat(tenantId, sha256);
      return blob && { ...blob, size: sizeOfStored(blob.size) };
    },

    async *list(tenantId) {
      for await (const blob of raw.list(tenantId)) yield { ...blob, size: sizeOfStored(blob.size) };
    },

    remove: async (tenantId, sha256) => {
      opened.delete(nameOf(tenantId, sha256));
      await raw.remove(tenantId, sha256);
    },

    isCurrent: async (tenantId, sha256) =>
      keyIdOf(await buffer(raw.stream(tenantId, sha256, { offset: 0, length: headerBytes }))) === keys.current?.id,

    removeLeftovers: raw.removeLeftovers,
    owner: raw.owner,
    claim: raw.claim,
    freeBytes: raw.freeBytes,
    tryOut: raw.tryOut,
    close: raw.close,
  };
};

type ReadStored = (offset: number, length: number) => Promise<Buffer>;

const nameOf = (tenantId: number, sha256: string): string => `${tenantId}/${sha256}`;

const readRange = async (file: EncryptedFile, range: ByteRange, readStored: ReadStored): Promise<Buffer> => {
  const target = Buffer.allocUnsafe(range.length);
  await readRangeInto(file, range, readStored, target);
  return target;
};

const readRangeInto = async (file: EncryptedFile, range: ByteRange, readStored: ReadStored, target: Buffer) => {
  if (range.length === 0) return;
  const { first, offset, length } = chunksOf(file, range);
  const stored = await readStored(offset, length);
  if (stored.length < length) throw new DamagedFile();
  openChunks(file, stored, first, range, target);
};
