import { between, cross, dot, normalOf, plus, times, type Vector } from '#viewer/images/image-plane.ts';
import { distanceFrom, type Slice } from '#viewer/images/slice.ts';
import { type Contour, countOf, pointOf } from './segment-set.ts';

/** Contours that lie no farther apart than this lie in one plane, in mm: so much is rounding. */
const onePlane = 0.1;

/** Nearer to each other than this are distances that are the same, in mm. */
const rounding = 0.001;

/** A contour that surrounds less than this does not tell how its plane is turned, in mm²; nor does that matter then. */
const leastArea = 100;

const middleOf = (points: readonly Vector[]): Vector =>
  times(points.reduce(plus, [0, 0, 0]), 1 / Math.max(1, points.length));

const pointsOf = (contour: Contour): Vector[] =>
  Array.from({ length: countOf(contour) }, (_, index) => pointOf(contour, index));

/** Stands upright on what a contour surrounds, and is twice as long as that is large. */
const uprightOn = (contour: Contour): Vector => {
  const [start = [0, 0, 0], ...others] = pointsOf(contour).map((point, _, [first = point]) => between(first, point));
  let sum: Vector = [0, 0, 0];
  let last = start;
  for (const point of others) {
    sum = plus(sum, cross(last, point));
    last = point;
  }
  return sum;
};

/** The direction in which the planes of a region follow each other; undefined where it is too small to tell. */
export const directionOf = (contours: readonly Contour[]): Vector | undefined => {
  let [longest, length]: [Vector, number] = [[0, 0, 0], 0];
  for (const contour of contours) {
    const upright = uprightOn(contour);
    const itsLength = Math.sqrt(dot(upright, upright));
    if (itsLength > length) [longest, length] = [upright, itsLength];
  }
  return length / 2 < leastArea ? undefined : times(longest, 1 / length);
};

/**
 * Those of the contours on an image that lie in the plane nearest to it. How far a contour lies away is not asked:
 * where the planes are a little tilted against the image, of one plane a small contour may be near and a large one far.
 */
export const inNearestPlane = (
  contours: readonly Contour[],
  slice: Slice,
  direction: Vector | undefined,
): ReadonlySet<Contour> => {
  if (contours.length < 2) return new Set(contours);
  const upright = direction ?? normalOf(slice);
  const middles = contours.map((contour) => middleOf(pointsOf(contour)));
  const depths = middles.map((middle) => dot(middle, upright));
  const all = middleOf(middles);
  const ofImage = dot(plus(all, times(normalOf(slice), -distanceFrom(slice, all))), upright);
  // Of two that are equally far the first is taken: one upon the other would show neither.
  const nearest = depths.reduce((best, depth) =>
    Math.abs(depth - ofImage) < Math.abs(best - ofImage) - rounding ? depth : best,
  );
  return new Set(contours.filter((_, index) => Math.abs((depths[index] ?? nearest) - nearest) <= onePlane));
};
