import {
  between,
  cross,
  dot,
  normalOf,
  plus,
  times,
  type Vector,
} from '#reading/viewer/images/geometry/image-plane.ts';
import { distanceFrom, type Slice } from '#reading/viewer/images/geometry/slice.ts';
import { type Contour, countOf, pointOf } from './segment-set.ts';

/** Largest distance between contours in the same plane, in mm. Smaller distances come from rounding. */
const onePlane = 0.1;

/** Distances that differ by less than this count as equal, in mm. */
const rounding = 0.001;

/**
 * Smallest area from which the direction of a plane can be computed, in mm². For smaller contours, the direction makes
 * no visible difference.
 */
const leastArea = 100;

const middleOf = (points: readonly Vector[]): Vector =>
  times(points.reduce(plus, [0, 0, 0]), 1 / Math.max(1, points.length));

const pointsOf = (contour: Contour): Vector[] =>
  Array.from({ length: countOf(contour) }, (_, index) => pointOf(contour, index));

/** Returns a vector perpendicular to a contour. Its length is twice the enclosed area. */
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

/**
 * Returns the direction perpendicular to the contour planes of a region. Undefined if no contour encloses `least` mm².
 */
export const directionOf = (contours: readonly Contour[], least = leastArea): Vector | undefined => {
  let [longest, length]: [Vector, number] = [[0, 0, 0], 0];
  for (const contour of contours) {
    const upright = uprightOn(contour);
    const itsLength = Math.sqrt(dot(upright, upright));
    if (itsLength > length) [longest, length] = [upright, itsLength];
  }
  return length / 2 < least ? undefined : times(longest, 1 / length);
};

/**
 * Returns the contours in the plane nearest to an image. Compares planes instead of single contours, because on a
 * slightly tilted plane a small contour may be near and a large contour far.
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
  // At equal distance, uses the first plane. Drawing both planes would make both unreadable.
  const nearest = depths.reduce((best, depth) =>
    Math.abs(depth - ofImage) < Math.abs(best - ofImage) - rounding ? depth : best,
  );
  return new Set(contours.filter((_, index) => Math.abs((depths[index] ?? nearest) - nearest) <= onePlane));
};
