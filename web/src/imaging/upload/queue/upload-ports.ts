import type { FileOutcome, OutgoingFile } from '#core/http/upload.ts';
import type { UploadItem } from './upload-item.ts';

type SendOptions = {
  studyInstanceUID: string | undefined;
  onProgress: (sentBytes: number) => void;
  signal: AbortSignal;
};

/** Delivery options of one run. */
export type Delivery = {
  /** The server refuses files of any other study. */
  studyInstanceUID?: string | undefined;
  /** Returns the IDs of files already in the archive. Default: no check. */
  findStored?: (items: readonly UploadItem[], signal: AbortSignal) => Promise<ReadonlySet<number>>;
  /** Returns the bytes to send for an item. Rejects with SourceProblem if there are none. */
  prepare: (item: UploadItem) => Promise<Blob>;
  /** Called with items that the archive acknowledged. */
  onStored: (items: readonly UploadItem[]) => void;
};

/** The queue's access to network, clock and disk. */
export type UploadPorts = {
  /**
   * Sends one batch and returns the outcome of each file, in the same order. Throws ApiError if the whole call failed.
   */
  send: (files: readonly OutgoingFile[], options: SendOptions) => Promise<readonly (FileOutcome | undefined)[]>;
  /** Waits for the time, or until the signal fires. */
  pause: (milliseconds: number, signal: AbortSignal) => Promise<void>;
  /** Tells whether a file is still readable from disk. */
  isReadable: (file: Blob) => Promise<boolean>;
  /** Milliseconds since an arbitrary time. */
  now: () => number;
};
