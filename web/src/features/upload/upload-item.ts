import type { InstanceSummary } from '@radwork/dicom/instance-summary';
import type { FileOutcome } from '#core/upload.ts';
import type { FileTraits } from '#core/upload-notes.ts';
import type { ChosenFile } from './recognise.ts';
import type { Source } from './source.ts';

/** What has become of a file, in the words that the screen shows. */
export const uploadStates = ['Pending', 'Uploading', 'Uploaded', 'Failed'] as const;
export type UploadState = (typeof uploadStates)[number];

/** One chosen file; the bytes stay on disk until they are sent. */
export type UploadItem = {
  readonly id: number;
  readonly source: Source;
  /** What its header says; undefined where that could not be read. */
  readonly summary: InstanceSummary | undefined;
  readonly state: UploadState;
  /** Why it failed, in the server's words where it gave any. */
  readonly reason?: string;
  /** The study that the stored instance belongs to. */
  readonly studyId?: string;
  /** It was not sent, because an earlier upload had brought it here. */
  readonly wasThere?: true;
  /** It has been on its way, and no answer told whether the archive has it. */
  readonly mayHaveArrived?: true;
};

export const traitsOf = ({ source: { name, size, modified }, summary }: ChosenFile): FileTraits => ({
  name,
  size,
  modified,
  sopInstanceUID: summary?.sopInstanceUID ?? '',
});

/**
 * Of the same traits is the same file. Path and size would not do: scanners number the files of every disc and series
 * alike, DICOM/S1/IM0001, and slices that are not compressed are all of one size.
 */
export const identityOf = (file: ChosenFile): string => JSON.stringify(traitsOf(file));

const answered = ({ id, source, summary }: UploadItem): UploadItem => ({ id, source, summary, state: 'Pending' });

export const unsure = (item: UploadItem): UploadItem => ({ ...item, mayHaveArrived: true });

export const pending = (item: UploadItem): UploadItem =>
  item.mayHaveArrived ? unsure(answered(item)) : answered(item);

export const uploading = (item: UploadItem): UploadItem => ({ ...pending(item), state: 'Uploading' });

export const failed = (item: UploadItem, reason: string): UploadItem => ({ ...pending(item), state: 'Failed', reason });

/** What an item becomes after the server has looked at it; a file it kept silent about is not safe, so it failed. */
export const settled = (item: UploadItem, outcome: FileOutcome | undefined): UploadItem => {
  if (!outcome) return failed(unsure(item), 'The server did not say what became of this file');
  if (!outcome.isStored) return failed(answered(item), outcome.reason);
  const { studyId } = outcome;
  return { ...answered(item), state: 'Uploaded', ...(studyId && { studyId }) };
};

/** What an item becomes that an earlier upload had brought to the archive. */
export const alreadyThere = (item: UploadItem): UploadItem => ({
  ...answered(item),
  state: 'Uploaded',
  wasThere: true,
});

export type Tally = { files: number; bytes: number };
export type Totals = Readonly<Record<UploadState, Tally>>;

/** How many files and bytes stand in each state. */
export const totalsOf = (items: readonly UploadItem[]): Totals => {
  const none = () => ({ files: 0, bytes: 0 });
  const totals = { Pending: none(), Uploading: none(), Uploaded: none(), Failed: none() };
  for (const { state, source } of items) {
    totals[state].files += 1;
    totals[state].bytes += source.size;
  }
  return totals;
};

/** The names of what failed under each reason, the most frequent reason first. */
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
