import { t } from '@lingui/core/macro';
import type { InstanceSummary } from '@radwork/dicom/instance-summary';
import type { FileOutcome } from '#core/http/upload.ts';
import type { FileTraits } from '#core/state/uploaded-files.ts';
import type { ChosenFile } from '#imaging/upload/choosing/recognize-files.ts';
import type { FileSource } from '#imaging/upload/choosing/file-source.ts';

export const uploadStates = ['Pending', 'Uploading', 'Uploaded', 'Failed'] as const;
export type UploadState = (typeof uploadStates)[number];

export const uploadStateLabels: Record<UploadState, string> = {
  Pending: t`Pending`,
  Uploading: t`Uploading`,
  Uploaded: t`Uploaded`,
  Failed: t`Failed`,
};

/** One chosen file. Its content stays on disk until it is sent. */
export type UploadItem = {
  readonly id: number;
  readonly source: FileSource;
  /** Summary of the header; undefined if the header could not be read. */
  readonly summary: InstanceSummary | undefined;
  readonly state: UploadState;
  /** Reason for the failure. It comes from the server, if the server gave a reason. */
  readonly reason?: string;
  /** ID of the study in which the instance was stored. */
  readonly studyId?: string;
  /** Whether the file was not sent because an earlier upload had stored it. */
  readonly wasThere?: true;
  /** Whether the file was sent but the server did not answer. The archive may have it. */
  readonly mayHaveArrived?: true;
};

export const traitsOf = ({ source: { name, size, modified }, summary }: ChosenFile): FileTraits => ({
  name,
  size,
  modified,
  sopInstanceUID: summary?.sopInstanceUID ?? '',
});

/**
 * Returns a key that identifies a file. Path and size are not enough: scanners use the same file names on every disc
 * (DICOM/S1/IM0001), and uncompressed slices have equal sizes.
 */
export const identityOf = (file: ChosenFile): string => JSON.stringify(traitsOf(file));

const answered = ({ id, source, summary }: UploadItem): UploadItem => ({ id, source, summary, state: 'Pending' });

export const withMayHaveArrived = (item: UploadItem): UploadItem => ({ ...item, mayHaveArrived: true });

export const pending = (item: UploadItem): UploadItem =>
  item.mayHaveArrived ? withMayHaveArrived(answered(item)) : answered(item);

export const uploading = (item: UploadItem): UploadItem => ({ ...pending(item), state: 'Uploading' });

export const failed = (item: UploadItem, reason: string): UploadItem => ({ ...pending(item), state: 'Failed', reason });

/** Returns the item with the server's result. A file without a result counts as failed, because it may be lost. */
export const withOutcome = (item: UploadItem, outcome: FileOutcome | undefined): UploadItem => {
  if (!outcome) return failed(withMayHaveArrived(item), t`The server did not confirm this file`);
  if (!outcome.isStored) return failed(answered(item), outcome.reason);
  const { studyId } = outcome;
  return { ...answered(item), state: 'Uploaded', ...(studyId && { studyId }) };
};

/** Marks the item as stored by an earlier upload. */
export const asStoredEarlier = (item: UploadItem): UploadItem => ({
  ...answered(item),
  state: 'Uploaded',
  wasThere: true,
});

export type Tally = { files: number; bytes: number };
export type Totals = Readonly<Record<UploadState, Tally>>;

/** Returns the numbers of files and bytes by state. */
export const totalsOf = (items: readonly UploadItem[]): Totals => {
  const none = () => ({ files: 0, bytes: 0 });
  const totals = { Pending: none(), Uploading: none(), Uploaded: none(), Failed: none() };
  for (const { state, source } of items) {
    totals[state].files += 1;
    totals[state].bytes += source.size;
  }
  return totals;
};

/** Returns the names of failed files by reason, the most frequent reason first. */
export const failuresByReason = (items: readonly UploadItem[]): { reason: string; names: string[] }[] => {
  const groups = new Map<string, string[]>();
  for (const { state, reason = '', source } of items) {
    if (state !== 'Failed') continue;
    const names = groups.get(reason);
    if (names) names.push(source.name);
    else groups.set(reason, [source.name]);
  }
  return [...groups].map(([reason, names]) => ({ reason, names })).toSorted((a, b) => b.names.length - a.names.length);
};
