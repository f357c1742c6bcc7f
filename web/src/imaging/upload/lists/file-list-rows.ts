import { t } from '@lingui/core/macro';
import type { UploadItem, UploadState } from '#imaging/upload/queue/upload-item.ts';

export type ListRow = { heading: string; files: number } | { item: UploadItem };

/**
 * Returns the rows of the list. When all files are done, headings group them by the result that the archive reported,
 * failures first.
 */
export const listRows = (items: readonly UploadItem[], show: UploadState | 'All', hasEnded: boolean): ListRow[] => {
  if (show !== 'All') return rowsOf(items.filter(({ state }) => state === show));
  if (!hasEnded) return rowsOf(items);
  return [
    ...section(t`Failed to process files:`, items, 'Failed'),
    ...section(t`Successfully processed files:`, items, 'Uploaded'),
  ];
};

const rowsOf = (items: readonly UploadItem[]): ListRow[] => items.map((item) => ({ item }));

const section = (heading: string, items: readonly UploadItem[], state: UploadState): ListRow[] => {
  const inState = items.filter((item) => item.state === state);
  return inState.length > 0 ? [{ heading, files: inState.length }, ...rowsOf(inState)] : [];
};
