import type { UploadItem, UploadState } from './upload-item.ts';

export type ListRow = { heading: string; files: number } | { item: UploadItem };

/**
 * What the list shows, from top to bottom. When every file has been dealt with, the list of all files is parted under
 * the headings that the archive's own answer uses, failures first.
 */
export const listRows = (items: readonly UploadItem[], show: UploadState | 'All', hasEnded: boolean): ListRow[] => {
  if (show !== 'All') return rowsOf(items.filter(({ state }) => state === show));
  if (!hasEnded) return rowsOf(items);
  return [
    ...section('Failed to process files:', items, 'Failed'),
    ...section('Successfully processed files:', items, 'Uploaded'),
  ];
};

const rowsOf = (items: readonly UploadItem[]): ListRow[] => items.map((item) => ({ item }));

const section = (heading: string, items: readonly UploadItem[], state: UploadState): ListRow[] => {
  const inState = items.filter((item) => item.state === state);
  return inState.length > 0 ? [{ heading, files: inState.length }, ...rowsOf(inState)] : [];
};
