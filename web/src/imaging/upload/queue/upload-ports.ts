import type { FileOutcome, OutgoingFile } from '#core/http/upload.ts';
import type { UploadItem } from './upload-item.ts';

type SendOptions = {
  studyInstanceUID: string | undefined;
  onProgress: (sentBytes: number) => void;
  signal: AbortSignal;
};

/** Options for sending the files of one run. */
export type Delivery = {
  /** The only study to accept. The server refuses files of any other study. */
  studyInstanceUID?: string | undefined;
  /** Returns the IDs of the files that the archive already has. Default: does not check. */
  findStored?: (items: readonly UploadItem[], signal: AbortSignal) => Promise<ReadonlySet<number>>;
  /** Returns the bytes to send for an item. Rejects with SourceProblem if they are not available. */
  prepare: (item: UploadItem) => Promise<Blob>;
  /** Called with the items that the archive has acknowledged. */
  onStored: (items: readonly UploadItem[]) => void;
};

/** Functions by which the queue uses network, clock and disk. */
export type UploadPorts = {
  /**
   * Sends one batch. Returns the result of each file, in the same order. Throws ApiError if the whole request failed.
   */
  send: (files: readonly OutgoingFile[], options: SendOptions) => Promise<readonly (FileOutcome | undefined)[]>;
  /** Waits for a time, or until the signal aborts. */
  pause: (milliseconds: number, signal: AbortSignal) => Promise<void>;
  /** Whether a file can still be read from disk. */
  isReadable: (file: Blob) => Promise<boolean>;
  /** Returns milliseconds from a fixed but arbitrary moment. */
  now: () => number;
};
