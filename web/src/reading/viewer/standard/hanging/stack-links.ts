import type { View } from '#reading/viewer/engine/stack/shown-image.ts';
import { type Link, linkOf } from '#reading/viewer/images/geometry/linked-slices.ts';
import type { SeriesImage } from '#reading/viewer/images/series/series-loader.ts';
import { type Slice, sliceOf } from '#reading/viewer/images/geometry/slice.ts';

const known = new WeakMap<readonly SeriesImage[], (Slice | undefined)[]>();

/** Returns the slices of a stack in order. A slice is undefined for an image without a patient position. */
export const slicesOf = (images: readonly SeriesImage[]): (Slice | undefined)[] => {
  const before = known.get(images);
  if (before) return before;
  const slices = images.map(sliceOf);
  known.set(images, slices);
  return slices;
};

/** Returns the index (from 0) and the slice of the drawn image. Undefined while nothing is drawn. */
export const drawnSlice = ({ viewport, images }: View): { index: number; slice: Slice } | undefined => {
  const drawnImage = viewport.getCornerstoneImage();
  const index = drawnImage ? images.findIndex(({ imageId }) => imageId === drawnImage.imageId) : -1;
  const slice = slicesOf(images)[index];
  return slice && { index, slice };
};

/** Returns the relation by which one view scrolls with another. */
export const linkBetween = (leader: View, follower: View): Link | undefined => {
  const first = slicesOf(leader.images).find((slice) => slice !== undefined);
  return first && linkOf(first, slicesOf(follower.images));
};
