import { SourceProblem } from './source.ts';
import type { UploadItem } from './upload-item.ts';

/** An item of a batch and the bytes that are sent for it. */
export type Parcel = { item: UploadItem; body: Blob };

/** What is said of a file that was there when it was chosen. */
export const lostWords = 'The file cannot be read any more: it was moved, changed or removed';

/** The bytes of every item of a batch, in its order, and why some have none. */
export const packed = async (
  batch: readonly UploadItem[],
  prepare: (item: UploadItem) => Promise<Blob>,
): Promise<{ parcels: Parcel[]; problems: Map<UploadItem, string> }> => {
  const bodies = new Map<UploadItem, Blob>();
  const problems = new Map<UploadItem, string>();
  await Promise.all(
    batch.map(async (item) => {
      try {
        bodies.set(item, await prepare(item));
      } catch (error) {
        problems.set(item, error instanceof SourceProblem ? error.message : lostWords);
      }
    }),
  );
  const parcels = batch.flatMap((item) => {
    const body = bodies.get(item);
    return body ? [{ item, body }] : [];
  });
  return { parcels, problems };
};
