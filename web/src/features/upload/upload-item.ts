import type { FileOutcome, NamedFile } from '#core/upload.ts';

/** What has become of a file, in the words that the screen shows. */
export const uploadStates = ['Pending', 'Uploading', 'Uploaded', 'Failed'] as const;
export type UploadState = (typeof uploadStates)[number];

/** One chosen file. `name` is its path inside the chosen folder; the bytes stay on disk until they are sent. */
export type UploadItem = NamedFile & {
  readonly id: number;
  readonly state: UploadState;
  /** Why it failed, in the server's words where it gave any. */
  readonly reason?: string;
  /** The study that the stored instance belongs to. */
  readonly studyId?: string;
};

/** One of the same path and size is the same file. */
export const identityOf = ({ name, size }: NamedFile) => `${size} ${name}`;

export const pending = ({ id, name, file, size }: UploadItem): UploadItem => ({
  id,
  name,
  file,
  size,
  state: 'Pending',
});

export const uploading = (item: UploadItem): UploadItem => ({ ...pending(item), state: 'Uploading' });

export const failed = (item: UploadItem, reason: string): UploadItem => ({ ...pending(item), state: 'Failed', reason });

/** What an item becomes after the server has looked at it; a file it kept silent about is not safe, so it failed. */
export const settled = (item: UploadItem, outcome: FileOutcome | undefined): UploadItem => {
  if (!outcome) return failed(item, 'The server did not say what became of this file');
  if (!outcome.isStored) return failed(item, outcome.reason);
  return { ...pending(item), state: 'Uploaded', studyId: outcome.studyId };
};

export type Tally = { files: number; bytes: number };
export type Totals = Readonly<Record<UploadState, Tally>>;

/** How many files and bytes stand in each state. */
export const totalsOf = (items: readonly UploadItem[]): Totals => {
  const none = () => ({ files: 0, bytes: 0 });
  const totals = { Pending: none(), Uploading: none(), Uploaded: none(), Failed: none() };
  for (const { state, size } of items) {
    totals[state].files += 1;
    totals[state].bytes += size;
  }
  return totals;
};

export type StoredStudy = Tally & { studyId: string };

/** What was stored, study by study, in the order in which the studies first appear in the list. */
export const storedStudies = (items: readonly UploadItem[]): StoredStudy[] => {
  const studies = new Map<string, StoredStudy>();
  for (const { studyId, size } of items) {
    if (studyId === undefined) continue;
    const { files, bytes } = studies.get(studyId) ?? { files: 0, bytes: 0 };
    studies.set(studyId, { studyId, files: files + 1, bytes: bytes + size });
  }
  return [...studies.values()];
};

/** The names of what failed under each reason, the most frequent reason first. */
export const failuresByReason = (items: readonly UploadItem[]): { reason: string; names: string[] }[] => {
  const groups = new Map<string, string[]>();
  for (const { state, reason = '', name } of items) {
    if (state !== 'Failed') continue;
    const names = groups.get(reason);
    if (names) names.push(name);
    else groups.set(reason, [name]);
  }
  return [...groups].map(([reason, names]) => ({ reason, names })).toSorted((a, b) => b.names.length - a.names.length);
};
