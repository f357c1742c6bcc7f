import { between, dot } from '#reading/viewer/images/geometry/image-plane.ts';
import type { Slice } from '#reading/viewer/images/geometry/slice.ts';
import { type Contour, countOf, pointOf } from './segment-set.ts';

/** Tolerance for points outside a line, in mm. Smaller distances come from rounding. */
const rounding = 0.1;

/**
 * Maximum number of points on one image. With more points, it takes too long to compute which contours lie inside
 * others.
 */
const mostPoints = 4000;

/** Position on an image, in mm from its first pixel. */
type Place = readonly [across: number, down: number];

type Shape = { contour: Contour; places: readonly Place[]; area: number };

/** Returns the pairs of neighboring points of a closed line. */
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

/** Returns whether a point is inside a closed line. It is inside if an odd number of edges lies to its right. */
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
 * Groups closed contours of a region on one image that are filled together. Areas that they share are then left empty.
 * The standard requires this only for CLOSEDPLANAR_XOR (PS3.3 §C.8.8.6.3), but many programs mean the same when one
 * contour lies inside another. Contours that only overlap are filled separately and keep the shared area.
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
