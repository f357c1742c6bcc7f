import type { Readable } from 'node:stream';
import { Problem } from './problem.ts';

/** Bytes on their way in: hashed while they arrive. Nothing of them stays unless they are kept. */
export type Incoming = {
  /** Known a moment after the last byte is there. */
  readonly sha256: Promise<string>;
  readonly size: number;
  /** Reads `length` bytes from `offset`; fewer when the bytes end before. Not after `close`. */
  read: (offset: number, length: number) => Promise<Buffer>;
  /** Prepares the bytes to be kept. Nobody would look for them where they are yet. */
  sync: () => Promise<void>;
  /** Ends reading. After `sync`, and before they are kept. */
  close: () => Promise<void>;
  /** Takes back whatever has been written. Does nothing to what has been kept. */
  discard: () => Promise<void>;
};

/** A piece of a file, and where in a buffer it belongs. */
export type Piece = { offset: number; length: number; at: number };

/** Bytes `offset` to `offset + length`, the last one not included. */
export type ByteRange = { offset: number; length: number };

/** What a store says of stored bytes without reading them. `size` is in bytes. */
export type StoredBlob = { tenantId: number; sha256: string; size: number; modifiedAt: Date };

/**
 * Bytes by their SHA-256 (64 hexadecimal digits), apart for each tenant: where they are never holds a UID or a name,
 * and an upload never tells whether another tenant has the same file (design/security.md D2, D4). Local files or an
 * object store are behind it (`openBlobStore`), encrypted or not; docs/decisions/0008 and 0056 have the reasons.
 *
 * Reading what there is not throws an error with the code ENOENT, a full disk or quota one with ENOSPC or EDQUOT, and
 * a store that cannot be reached StorageAway.
 */
export type BlobStore = {
  /**
   * Takes a stream in, for the tenant that may keep it. Throws TooLarge past `limit` bytes; a failed stream leaves nothing
   * behind.
   */
  receive: (source: AsyncIterable<Buffer>, limit: number, tenantId: number) => Promise<Incoming>;
  /**
   * Gives synced bytes their place in a tenant's part of the store. When it resolves, all of them survive a power
   * cut. It is called in the transaction that writes their rows, once it is known what is taken, and done before the
   * commit: so no row is without its bytes. Should it fail, or the transaction, some have been kept and are for the
   * caller to take out; what is there still may be kept again, when the transaction is tried again.
   */
  keep: (tenantId: number, blobs: readonly Incoming[]) => Promise<void>;
  /** Reads `length` bytes from `offset`; fewer when the bytes end before. */
  read: (tenantId: number, sha256: string, offset: number, length: number) => Promise<Buffer>;
  /** Reads pieces to their places in a buffer. Throws when the bytes end before one of them. */
  readInto: (tenantId: number, sha256: string, target: Buffer, pieces: readonly Piece[]) => Promise<void>;
  /** All bytes, or a range that lies within them, in order. Fails rather than ending early. */
  stream: (tenantId: number, sha256: string, range?: ByteRange) => Readable;
  /** What is known of stored bytes; undefined when there are none. */
  stat: (tenantId: number, sha256: string) => Promise<StoredBlob | undefined>;
  /**
   * Everything that is stored, of one tenant or of all; each tenant's in the order of the hashes, so that it can be
   * compared with rows in little memory. What comes or goes meanwhile may be missed.
   */
  list: (tenantId?: number) => AsyncIterable<StoredBlob>;
  /** Removes stored bytes. Does nothing when there are none. */
  remove: (tenantId: number, sha256: string) => Promise<void>;
  /** Removes what servers that are no longer running had not finished receiving. Returns the number of files. */
  removeLeftovers: () => Promise<number>;
  /** Which installation has claimed the store; undefined when none has. */
  owner: () => Promise<string | undefined>;
  /** Says in the store itself, for good, whose it is. */
  claim: (installationId: string) => Promise<void>;
  /** How many bytes fit in still; null where the store does not tell. */
  freeBytes: () => Promise<number | null>;
  /** Writes a few bytes for good and takes them back. Throws what `keep` would. */
  tryOut: () => Promise<void>;
  /** Lets go of timers and connections. What is being received is to be discarded before. */
  close: () => Promise<void>;
};

/** There are more bytes than the caller wanted to receive. */
export class TooLarge extends Error {}

/**
 * The store did not do what it was asked, or nobody knows whether it did. `reason` is for the log: its own name for the
 * error, or the system's, such as AccessDenied or ECONNREFUSED.
 */
export class StorageAway extends Problem {
  readonly reason: string;

  constructor(reason: string) {
    super(503, 'storage.away', 'The storage of the images cannot be reached. Try again in a moment.', {
      retryAfterSeconds: 5,
    });
    this.reason = reason;
  }
}
