import { t } from '@radwork/contract/core/translate';
import type { Readable } from 'node:stream';
import { Problem } from '#core/http/problem.ts';

/** Incoming bytes, hashed while they arrive. They are stored only after `keep`. */
export type Incoming = {
  /** Resolves shortly after the last byte has arrived. */
  readonly sha256: Promise<string>;
  readonly size: number;
  /** Reads up to `length` bytes from `offset`; fewer at the end. Not allowed after `close`. */
  read: (offset: number, length: number) => Promise<Buffer>;
  /** Prepares the bytes for `keep`. They cannot be found in the store yet. */
  sync: () => Promise<void>;
  /** Ends reading. Call after `sync` and before `keep`. */
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
 * Bytes by their SHA-256 (64 hexadecimal digits), separate for each tenant. A path never holds a UID or a name,
 * which a sender chooses. An upload never reveals the files of another tenant. `openBlobStore` opens local files or an
 * object store, encrypted or not (docs/decisions/0008 and 0056).
 *
 * Errors: code ENOENT for missing bytes; ENOSPC or EDQUOT for a full disk or quota; StorageUnavailable for an unreachable
 * store.
 */
export type BlobStore = {
  /** Receives a stream for one tenant. Throws TooLarge past `limit` bytes. A failed stream leaves no bytes. */
  receive: (source: AsyncIterable<Buffer>, limit: number, tenantId: number) => Promise<Incoming>;
  /**
   * Moves synced bytes into the store of a tenant. When it resolves, all of them survive a power cut. Call it before
   * the commit of the transaction that writes their rows, so no row lacks its bytes. If it or the transaction fails,
   * some bytes may be stored; the caller removes those. A retried transaction may keep the same bytes again.
   */
  keep: (tenantId: number, blobs: readonly Incoming[]) => Promise<void>;
  /** Reads up to `length` bytes from `offset`; fewer at the end. */
  read: (tenantId: number, sha256: string, offset: number, length: number) => Promise<Buffer>;
  /** Reads pieces into a buffer. Throws when the stored bytes end too early. */
  readInto: (tenantId: number, sha256: string, target: Buffer, pieces: readonly BlobPiece[]) => Promise<void>;
  /** Streams all bytes, or a range that lies within them, in order. Fails when the bytes end too early. */
  stream: (tenantId: number, sha256: string, range?: ByteRange) => Readable;
  /** Returns metadata of stored bytes, or undefined when there are none. */
  stat: (tenantId: number, sha256: string) => Promise<StoredBlob | undefined>;
  /**
   * Lists stored bytes of one tenant or of all. Each tenant is sorted by hash, so rows can be compared in little
   * memory. May miss concurrent changes.
   */
  list: (tenantId?: number) => AsyncIterable<StoredBlob>;
  /** Removes stored bytes. Does nothing when there are none. */
  remove: (tenantId: number, sha256: string) => Promise<void>;
  /** Removes unfinished files of servers that have stopped. Returns the number of files. */
  removeLeftovers: () => Promise<number>;
  /** Returns the id of the installation that claimed the store, if any. */
  owner: () => Promise<string | undefined>;
  /** Writes the owner of the store into the store itself. */
  claim: (installationId: string) => Promise<void>;
  /** Returns the free space in bytes; null when the store does not report it. */
  freeBytes: () => Promise<number | null>;
  /** Writes and removes a small test file. Throws the same errors as `keep`. */
  writeProbe: () => Promise<void>;
  /** Releases timers and connections. Discard incoming bytes before. */
  close: () => Promise<void>;
};

/** More bytes arrived than the caller accepts. */
export class TooLarge extends Error {}

/**
 * The store failed, or its result is unknown. `reason` is for the log: the error name of the store or of the system,
 * such as AccessDenied or ECONNREFUSED.
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
