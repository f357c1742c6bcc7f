import type { Totals, UploadItem } from './upload-item.ts';

/** How an upload stands, for those who show it. */
export type UploadSnapshot = {
  items: readonly UploadItem[];
  totals: Totals;
  isRunning: boolean;
  /** The run has not sent anything yet: it asks what the archive has already. */
  isChecking: boolean;
  /** The run ends as soon as what is under way has arrived. */
  isPausing: boolean;
  /** How many files were chosen during the run and wait for the next. */
  laterFiles: number;
  /** Bytes dealt with, those under way included, of the bytes of all items but those that wait for the next run. */
  sentBytes: number;
  totalBytes: number;
  bytesPerSecond: number | undefined;
  /** Why the last run stopped before its end; what it did not reach is still Pending. */
  interruption: string | undefined;
  /** Whether anything of this list was handed over to be sent, whatever became of it. */
  hasSent: boolean;
  /** How many files have been on their way, and may be in the archive without anybody knowing. */
  unsureFiles: number;
};
