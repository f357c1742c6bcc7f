import type { Totals, UploadItem } from './upload-item.ts';

/** State of an upload, for the screen. */
export type UploadSnapshot = {
  items: readonly UploadItem[];
  totals: Totals;
  isRunning: boolean;
  /** The run has sent nothing yet: it asks for files already in the archive. */
  isChecking: boolean;
  /** The run ends when the batches under way have arrived. */
  isPausing: boolean;
  /** Number of files chosen during the run; they wait for the next run. */
  laterFiles: number;
  /** Bytes finished or under way, and the total of all items except those for the next run. */
  sentBytes: number;
  totalBytes: number;
  bytesPerSecond: number | undefined;
  /** Why the last run stopped early; files not reached are still Pending. */
  interruption: string | undefined;
  /** True if any file of this list was handed over for sending, whatever the result. */
  hasSent: boolean;
  /** Number of files that were under way and may be in the archive. */
  unsureFiles: number;
};
