import { t } from '@lingui/core/macro';
import { SourceProblem } from '#imaging/upload/choosing/file-source.ts';
import type { UploadItem } from './upload-item.ts';

/** A file of a batch and the bytes to send for it. */
export type BatchItem = { item: UploadItem; body: Blob };

/** Message for a file that can no longer be read. */
export const fileLostMessage = t`The file was moved, changed or deleted. Choose it again`;

/** Returns the bytes of the files in order, and the reasons why some files have none. */
export const readBatchBytes = async (
  batch: readonly UploadItem[],
  prepare: (item: UploadItem) => Promise<Blob>,
): Promise<{ parcels: BatchItem[]; problems: Map<UploadItem, string> }> => {
  const bodies = new Map<UploadItem, Blob>();
  const problems = new Map<UploadItem, string>();
  await Promise.all(
    batch.map(async (item) => {
      try {
        bodies.set(item, await prepare(item));
      } catch (error) {
        problems.set(item, error instanceof SourceProblem ? error.message : fileLostMessage);
      }
    }),
  );
  const parcels = batch.flatMap((item) => {
    const body = bodies.get(item);
    return body ? [{ item, body }] : [];
  });
  return { parcels, problems };
};
