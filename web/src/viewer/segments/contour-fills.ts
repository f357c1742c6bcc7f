import { between, dot } from '#viewer/images/image-plane.ts';
import type { Slice } from '#viewer/images/slice.ts';
import { type Contour, countOf, pointOf } from './segment-set.ts';

/** A point that lies outside of a line by less than this is not taken for one outside, in mm: so much is rounding. */
const rounding = 0.1;

/** With more points than these on one image it would take too long to see how contours lie to each other. */
const mostPoints = 4000;

/** A place on an image, in mm from its first pixel. */
type Place = readonly [across: number, down: number];

type Shape = { contour: Contour; places: readonly Place[]; area: number };

/** The places of a line with that which follows each; the last is followed by the first. */
const edgesOf = (places: readonly Place[]): (readonly [Place, Place])[] =>
  places.map((place, index) => [place, places[(index + 1) % places.length] ?? place]);

const shapeOf = (contour: Contour, { position, along, down }: Slice): Shape => {
  const places = Array.from({ length: countOf(contour) }, (_, index): Place => {
    const way = between(position, pointOf(contour, index));
    return [dot(way, along), dot(way, down)];
  });
  const doubled = edgesOf(places).reduce((sum, [[x, y], [nextX, nextY]]) => sum + x * nextY - nextX * y, 0);
  return { contour, places, area: Math.abs(doubled) / 2 };
};

/** Whether a place lies within a line: as many edges as are odd lie to one side of it. */
const isWithin = ([x, y]: Place, edges: readonly (readonly [Place, Place])[]): boolean => {
  let within = false;
  for (const [[x1, y1], [x2, y2]] of edges) {
    if (y1 > y !== y2 > y && x < x1 + ((y - y1) / (y2 - y1)) * (x2 - x1)) within = !within;
  }
  return within;
};

const distanceTo = ([x, y]: Place, [[x1, y1], [x2, y2]]: readonly [Place, Place]): number => {
  const [dx, dy] = [x2 - x1, y2 - y1];
  const length = dx * dx + dy * dy;
  const share = length > 0 ? Math.min(1, Math.max(0, ((x - x1) * dx + (y - y1) * dy) / length)) : 0;
  return Math.hypot(x - x1 - share * dx, y - y1 - share * dy);
};

const liesIn = (inner: Shape, outer: Shape): boolean => {
  if (inner === outer || inner.area >= outer.area) return false;
  const edges = edgesOf(outer.places);
  return inner.places.every(
    (place) => isWithin(place, edges) || edges.some((edge) => distanceTo(place, edge) <= rounding),
  );
};

/**
 * Which closed contours of a region on one image are filled together, so that each takes away what it shares with the
 * others. The standard says so of CLOSEDPLANAR_XOR only (PS3.3 §C.8.8.6.3). Of others many writers mean the same when
 * one lies in another; when two only overlap, what they share belongs to the region, and they are filled one by one.
 */
export const fillsOf = (contours: readonly Contour[], slice: Slice): readonly (readonly Contour[])[] => {
  const points = contours.reduce((sum, contour) => sum + countOf(contour), 0);
  if (contours.length < 2 || points > mostPoints || contours.some(({ isExclusive }) => isExclusive)) return [contours];
  const shapes = contours.map((contour) => shapeOf(contour, slice));
  const outermost = shapes.filter((shape) => !shapes.some((other) => liesIn(shape, other)));
  return outermost.map((outer) =>
    shapes.filter((shape) => shape === outer || liesIn(shape, outer)).map(({ contour }) => contour),
  );
};
