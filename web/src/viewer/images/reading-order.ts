import { depthOf, dot, type ImagePlane, normalOf } from './image-plane.ts';

/** What decides where an image stands in its series. */
export type Placed = { plane: ImagePlane | undefined; instanceNumber: number | undefined; frame: number };

/** Nearer than this two slices count as lying at the same place, in mm. */
const samePlace = 0.01;

/** Slices count as parallel when their normals differ by less than about half a degree. */
const parallel = 0.99996;

/**
 * The order in which a series is read. Parallel slices at places of their own stand in the order of those places,
 * whatever numbers they carry, from the end at which the numbering begins. Where places repeat (phases, echoes,
 * diffusion weights) or directions differ (localizers), position says nothing and the numbers decide.
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

/** How deep each image lies, in mm; undefined unless all of them are parallel and lie at different depths. */
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

/** Whether the numbers count against the normal; one image out of place does not turn the series round. */
const runsBackwards = <Image extends Placed>(numbered: readonly Image[], depths: Map<Image, number>): boolean => {
  const steps = numbered.slice(1).map((image, index) => {
    const before = numbered[index];
    return before ? Math.sign((depths.get(image) ?? 0) - (depths.get(before) ?? 0)) : 0;
  });
  return steps.reduce((sum, step) => sum + step, 0) < 0;
};
