import type { Totals, UploadItem } from './upload-item.ts';

/** State of an upload, as shown on the screen. */
export type UploadSnapshot = {
  items: readonly UploadItem[];
  totals: Totals;
  isRunning: boolean;
  /** Whether the run has not sent anything yet, because it is asking which files the archive already has. */
  isChecking: boolean;
  /** Whether the run ends as soon as the running batches are finished. */
  isPausing: boolean;
  /** Number of files chosen during the run. They wait for the next run. */
  laterFiles: number;
  /** Bytes sent so far, and the total of all items except those for the next run. */
  sentBytes: number;
  totalBytes: number;
  bytesPerSecond: number | undefined;
  /** Reason why the last run stopped early. Files not reached are still pending. */
  interruption: string | undefined;
  /** Whether the upload of any file of this list has started, with any result. */
  hasSent: boolean;
  /** Number of files that were being sent when the run stopped and may be in the archive. */
  unsureFiles: number;
};
