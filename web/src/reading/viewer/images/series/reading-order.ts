import { depthOf, dot, type ImagePlane, normalOf } from '#reading/viewer/images/geometry/image-plane.ts';

/** Properties by which the images of a series are sorted. */
export type Placed = { plane: ImagePlane | undefined; instanceNumber: number | undefined; frame: number };

/** Largest distance between slices at the same position, in mm. */
const samePlace = 0.01;

/** Smallest product of two normals that counts as parallel (about half a degree). */
const parallel = 0.99996;

/**
 * Sorts a series for reading. Parallel slices at distinct positions are sorted by position, starting at the end with
 * the lowest numbers. If positions repeat (phases, echoes, diffusion weights) or directions differ (localizers), images
 * are sorted by number.
 */
export const inReadingOrder = <Image extends Placed>(images: readonly Image[]): Image[] => {
  const numbered = images.toSorted(byNumber);
  const depths = depthsOf(numbered);
  if (!depths) return numbered;
  const sign = runsBackwards(numbered, depths) ? -1 : 1;
  return numbered.toSorted((one, other) => sign * ((depths.get(one) ?? 0) - (depths.get(other) ?? 0)));
};

const byNumber = (one: Placed, other: Placed): number =>
  (one.instanceNumber ?? Number.MAX_SAFE_INTEGER) - (other.instanceNumber ?? Number.MAX_SAFE_INTEGER) ||
  one.frame - other.frame;

/**
 * Returns the position of each image along the normal, in mm. Undefined unless all images are parallel and at distinct
 * positions.
 */
const depthsOf = <Image extends Placed>(images: readonly Image[]): Map<Image, number> | undefined => {
  const depths = new Map<Image, number>();
  const first = images[0]?.plane;
  for (const image of images) {
    if (!first || !image.plane || dot(normalOf(first), normalOf(image.plane)) < parallel) return undefined;
    depths.set(image, depthOf(image.plane));
  }
  const sorted = [...depths.values()].toSorted((one, other) => one - other);
  const repeats = sorted.some((depth, index) => index > 0 && depth - (sorted[index - 1] ?? depth) < samePlace);
  return repeats ? undefined : depths;
};

/** Whether the numbers decrease along the normal. A single misplaced image does not reverse the series. */
const runsBackwards = <Image extends Placed>(numbered: readonly Image[], depths: Map<Image, number>): boolean => {
  const steps = numbered.slice(1).map((image, index) => {
    const before = numbered[index];
    return before ? Math.sign((depths.get(image) ?? 0) - (depths.get(before) ?? 0)) : 0;
  });
  return steps.reduce((sum, step) => sum + step, 0) < 0;
};
