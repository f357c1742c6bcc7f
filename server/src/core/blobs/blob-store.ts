import { t } from '@radwork/contract/core/translate';
import type { Readable } from 'node:stream';
import { Problem } from '#core/http/problem.ts';

/** Received bytes, hashed while they arrive. Only `keep` stores them. */
export type IncomingBlob = {
  /** Resolves shortly after the last byte has arrived. */
  readonly sha256: Promise<string>;
  readonly size: number;
  /** Reads up to `length` bytes from `offset`; fewer at the end. Not allowed after `close`. */
  read: (offset: number, length: number) => Promise<Buffer>;
  /** Prepares the bytes for `keep`. Until then, the store does not find them. */
  sync: () => Promise<void>;
  /** Ends reading of the received bytes. Call it after `sync` and before `keep`. */
  close: () => Promise<void>;
  /** Deletes the received bytes, unless they were kept. */
  discard: () => Promise<void>;
};

/** A piece of a file and its position in a target buffer. */
export type BlobPiece = { offset: number; length: number; at: number };

/** Bytes from `offset` (included) to `offset + length` (excluded). */
export type ByteRange = { offset: number; length: number };

/** Metadata of stored bytes, known without reading them. `size` is in bytes. */
export type StoredBlob = { tenantId: number; sha256: string; size: number; modifiedAt: Date };

/**
 * Stores bytes by their SHA-256 (64 hexadecimal digits), separately for each tenant. Paths contain no UID and no name,
 * because a sender could choose them. An upload never shows that another tenant has the same file. `openBlobStore`
 * opens local files or an object store, encrypted or not (docs/decisions/0008 and 0056).
 *
 * Errors: code ENOENT when bytes are missing; ENOSPC or EDQUOT when disk or quota is full; StorageUnavailable when the
 * store cannot be reached.
 */
export type BlobStore = {
  /**
   * Receives a stream for one tenant. Throws TooLarge when more than `limit` bytes arrive. After a failure no bytes
   * remain.
   */
  receive: (source: AsyncIterable<Buffer>, limit: number, tenantId: number) => Promise<IncomingBlob>;
  /**
   * Moves synced bytes into the store of a tenant. After this, all bytes survive a power cut. Call it before the commit
   * of the transaction that writes their rows, so that every row has its bytes. If `keep` or the transaction fails,
   * some bytes may remain stored. The caller then removes these bytes. A retried transaction may keep the same bytes
   * again.
   */
  keep: (tenantId: number, blobs: readonly IncomingBlob[]) => Promise<void>;
  /** Reads up to `length` bytes from `offset`; fewer at the end. */
  read: (tenantId: number, sha256: string, offset: number, length: number) => Promise<Buffer>;
  /** Reads pieces of one file into a buffer. Throws when the stored bytes end before a piece does. */
  readInto: (tenantId: number, sha256: string, target: Buffer, pieces: readonly BlobPiece[]) => Promise<void>;
  /** Streams all bytes in order, or a range within them. Fails when the stored bytes end too early. */
  stream: (tenantId: number, sha256: string, range?: ByteRange) => Readable;
  /** Returns metadata of stored bytes, or undefined when there are none. */
  stat: (tenantId: number, sha256: string) => Promise<StoredBlob | undefined>;
  /**
   * Lists the stored bytes of one tenant or of all. Each tenant's list is sorted by hash, so that it can be compared
   * with rows in little memory. The list may lack concurrent changes.
   */
  list: (tenantId?: number) => AsyncIterable<StoredBlob>;
  /** Removes stored bytes. Does nothing when there are none. */
  remove: (tenantId: number, sha256: string) => Promise<void>;
  /** Removes the unfinished files of servers that have stopped. Returns how many. */
  removeLeftovers: () => Promise<number>;
  /** Returns the id of the installation that owns the store, if any. */
  owner: () => Promise<string | undefined>;
  /** Writes the id of the owner into the store. */
  claim: (installationId: string) => Promise<void>;
  /** Returns the free space in bytes; null when the store does not report it. */
  freeBytes: () => Promise<number | null>;
  /** Writes and removes a small test file. Throws the same errors as `keep`. */
  writeProbe: () => Promise<void>;
  /** Releases timers and connections. Discard received bytes first. */
  close: () => Promise<void>;
};

/** More bytes arrived than the caller accepts. */
export class TooLarge extends Error {}

/**
 * The store failed, or the result of a request is unknown. `reason` is for the log: an error name of the store or the
 * system, such as AccessDenied or ECONNREFUSED.
 */
export class StorageUnavailable extends Problem {
  readonly reason: string;

  constructor(reason: string) {
    super(503, 'storage.away', t`The image storage cannot be reached. Try again in a moment.`, {
      retryAfterSeconds: 5,
    });
    this.reason = reason;
  }
}
