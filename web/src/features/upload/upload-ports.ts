import type { FileOutcome, OutgoingFile } from '#core/upload.ts';
import type { UploadItem } from './upload-item.ts';

type SendOptions = {
  studyInstanceUID: string | undefined;
  onProgress: (sentBytes: number) => void;
  signal: AbortSignal;
};

/** How the files of one run are to be delivered. */
export type Delivery = {
  /** Refuses files of any other study. */
  studyInstanceUID?: string | undefined;
  /** Which of the files the archive has already, by their ids; not given: nobody asks. */
  findStored?: (items: readonly UploadItem[], signal: AbortSignal) => Promise<ReadonlySet<number>>;
  /** The bytes that are sent for an item. Rejects with SourceProblem when there are none. */
  prepare: (item: UploadItem) => Promise<Blob>;
  /** Hears of items that the archive has acknowledged. */
  onStored: (items: readonly UploadItem[]) => void;
};

/** What the queue asks of the world around it. */
export type UploadPorts = {
  /** Sends one batch and says what became of each file, in the same order. Throws ApiError when the whole call failed. */
  send: (files: readonly OutgoingFile[], options: SendOptions) => Promise<readonly (FileOutcome | undefined)[]>;
  /** Waits, or until the signal fires. */
  pause: (milliseconds: number, signal: AbortSignal) => Promise<void>;
  /** Whether a file can still be read from disk. */
  isReadable: (file: Blob) => Promise<boolean>;
  /** Milliseconds since some moment. */
  now: () => number;
};
