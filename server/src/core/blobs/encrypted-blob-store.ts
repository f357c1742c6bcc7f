import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import type { BlobStore, ByteRange, IncomingBlob } from './blob-store.ts';
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
import { DamagedFile, tooShort } from './disk/file-system.ts';
import { inParallel } from '#core/resources/run-in-parallel.ts';
import type { StorageKeys } from './storage-keys.ts';

/** The store to which the encryption writes. Files are named by the hash of their plain content. */
export type RawStore = BlobStore & {
  /** Returns the stored size, from a cached copy if possible. Throws ENOENT when the file is missing. */
  sizeOf: (tenantId: number, sha256: string) => Promise<number>;
  /** Closes open files and drops cached copies, so that the next read uses the store. */
  forget: (tenantId: number, sha256: string) => Promise<void>;
  /** Returns a short text saved in the store under this name, if any. */
  note: (name: string) => Promise<string | undefined>;
  writeNote: (name: string, text: string) => Promise<void>;
};

/** `isCurrent` says whether a file is encrypted with the current key. */
export type EncryptedBlobStore = BlobStore & { isCurrent: (tenantId: number, sha256: string) => Promise<boolean> };

const filesRemembered = 10_000;
/**
 * Milliseconds until the note about the needed key is checked again. `encrypt-store` may have removed the note while
 * this server still encrypts with the key.
 */
const notedFor = 60_000;
/** Number of pieces that one request reads in parallel. */
const atOnce = 16;

/**
 * Encrypts bytes before they are written (docs/decisions/0056). Hashes and sizes refer to the plain content. To read a
 * range, only the chunks that contain the range are read. Changed files are refused as damaged. `noteKey` records in
 * the store which key is needed, before the first file is written and then regularly.
 */
export const encryptedBlobStore = (
  raw: RawStore,
  keys: StorageKeys,
  noteKey: () => Promise<void>,
): EncryptedBlobStore => {
  const tenants = new WeakMap<IncomingBlob, number>();
  const opened = new Map<string, EncryptedFile>();
  let noted: { at: number; done: Promise<void> } | undefined;

  const receive: BlobStore['receive'] = async (source, limit, tenantId) => {
    if (!keys.current) throw new Error('The key for encryption is missing');
    const { bytes, facts } = encrypting(source, limit, keys.current, tenantId);
    const blob = await raw.receive(bytes, storedSize(limit), tenantId);
    const { sha256, size, file } = facts();
    const readStored = blob.read;
    const read = async (offset: number, length: number) =>
      readRange(file, { offset, length: Math.max(0, Math.min(length, size - offset)) }, readStored);
    tenants.set(blob, tenantId);
    // Changes the same object, because the store recognizes received bytes by object identity.
    return Object.assign(blob, { sha256: Promise.resolve(sha256), size, read });
  };

  const keep: BlobStore['keep'] = async (tenantId, blobs) => {
    // Bytes encrypted for one tenant cannot be decrypted for another.
    if (blobs.some((blob) => tenants.get(blob) !== tenantId))
      throw new Error('These bytes are encrypted for another tenant');
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

  /** Tries twice: another server may have stored the same bytes again with a new file key. */
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

  /** Streams from the store without caching, because a stream reads each file only once. */
  async function* wholeOrRange(tenantId: number, sha256: string, requestedRange?: ByteRange): AsyncGenerator<Buffer> {
    const part = (offset: number, length: number) => raw.stream(tenantId, sha256, { offset, length });
    const stored = (await raw.stat(tenantId, sha256))?.size;
    if (stored !== undefined && stored < headerBytes + sealBytes) throw new DamagedFile();
    const header = await buffer(part(0, headerBytes));
    if (stored === undefined) throw new DamagedFile();
    const seal = await buffer(part(stored - sealBytes, sealBytes));
    const file = openFile({ header, seal, stored }, keys, { tenantId, sha256 });
    const range = requestedRange ?? { offset: 0, length: file.size };
    if (range.offset + range.length > file.size) throw tooShort();
    if (range.length === 0) return;
    const { offset, length } = chunksOf(file, range);
    yield* decrypting(file, part(offset, length), range);
  }

  async function* bytesOf(tenantId: number, sha256: string, range?: ByteRange): AsyncGenerator<Buffer> {
    for (const isLast of [false, true]) {
      let hasBegun = false;
      try {
        for await (const chunk of wholeOrRange(tenantId, sha256, range)) {
          hasBegun = true;
          yield chunk;
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
    writeProbe: raw.writeProbe,
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
