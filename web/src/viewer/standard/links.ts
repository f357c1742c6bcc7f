import type { View } from '#viewer/engine/shown-image.ts';
import { type Link, linkOf } from '#viewer/images/linked-slices.ts';
import type { SeriesImage } from '#viewer/images/series-loader.ts';
import { type Slice, sliceOf } from '#viewer/images/slice.ts';

const known = new WeakMap<readonly SeriesImage[], (Slice | undefined)[]>();

/** The slices of a stack in its order; undefined for what is not placed in the patient. */
export const slicesOf = (images: readonly SeriesImage[]): (Slice | undefined)[] => {
  const before = known.get(images);
  if (before) return before;
  const slices = images.map(sliceOf);
  known.set(images, slices);
  return slices;
};

/** The number of the image that is drawn, from 0, and its slice; undefined while nothing is drawn. */
export const drawnSlice = ({ viewport, images }: View): { index: number; slice: Slice } | undefined => {
  const drawn = viewport.getCornerstoneImage();
  const index = drawn ? images.findIndex(({ imageId }) => imageId === drawn.imageId) : -1;
  const slice = slicesOf(images)[index];
  return slice && { index, slice };
};

/** How two views can be scrolled together, whichever of their images they show now. */
export const linkBetween = (leader: View, follower: View): Link | undefined => {
  const first = slicesOf(leader.images).find((slice) => slice !== undefined);
  return first && linkOf(first, slicesOf(follower.images));
};
