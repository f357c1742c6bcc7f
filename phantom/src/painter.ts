import { between, dot, normalOf, pixelOf, plus, pointOf, times, type Plane, type Point } from './geometry.ts';

/** The basic solid of the phantom, with axes parallel to those of the patient. Lengths in mm. */
export type Ellipsoid = { centre: Point; radii: Point };

/** A solid and its substance: a number, or the name of a tissue. */
export type Shape<Substance> = Ellipsoid & { substance: Substance };

/** A radius longer than any patient, which turns an ellipsoid into a cylinder. */
export const endless = 100_000;

export const sphere = <Substance>(substance: Substance, centre: Point, radius: number): Shape<Substance> => ({
  substance,
  centre,
  radii: [radius, radius, radius],
});

/** One radius, or those of both ends. */
export type Radius = number | readonly [start: number, end: number];

/** A tube through several points, made of dense spheres. Its radius changes evenly from start to end. */
export const tube = <Substance>(
  substance: Substance,
  radius: Radius,
  ...points: readonly Point[]
): Shape<Substance>[] => {
  const [startRadius, endRadius] = typeof radius === 'number' ? [radius, radius] : radius;
  const closeness = 0.7 * Math.min(startRadius, endRadius);
  const segments = points.slice(1).map((end, index) => segmentBetween(points[index] ?? end, end));
  const total = segments.reduce((sum, { length }) => sum + length, 0);
  let travelled = 0;
  return segments.flatMap(({ start, way, length }) => {
    const steps = Math.max(1, Math.ceil(length / closeness));
    const spheres = Array.from({ length: steps + 1 }, (_, step) => {
      const share = (travelled + (length * step) / steps) / total;
      return sphere(substance, plus(start, times(way, step / steps)), startRadius + (endRadius - startRadius) * share);
    });
    travelled += length;
    return spheres;
  });
};

const segmentBetween = (start: Point, end: Point): { start: Point; way: Point; length: number } => {
  const way = between(start, end);
  return { start, way, length: Math.hypot(...way) };
};

/** Replaces each tissue by its value. */
export const withValues = <Tissue extends string>(
  shapes: readonly Shape<Tissue>[],
  numbers: Readonly<Record<Tissue, number>>,
): Shape<number>[] => shapes.map((shape) => ({ ...shape, substance: numbers[shape.substance] }));

/** Paints the cross-sections of shapes in a plane, row by row. A later shape covers an earlier shape. */
export const paint = (picture: Float32Array, plane: Plane, shapes: readonly Shape<number>[]): void => {
  const normal = normalOf(plane);
  for (const shape of shapes) {
    const { row, distance } = pixelOf(shape.centre, plane);
    if (Math.abs(distance) >= reach(shape, normal)) continue;
    const halfHeight = reach(shape, plane.down) / plane.pixelSpacing;
    const lastRow = Math.min(plane.rows - 1, Math.floor(row + halfHeight));
    for (let at = Math.max(0, Math.ceil(row - halfHeight)); at <= lastRow; at += 1) {
      const [first, last] = columnsInside(shape, plane, at);
      if (first <= last) picture.fill(shape.substance, at * plane.columns + first, at * plane.columns + last + 1);
    }
  }
};

/** The substance at a point. As in `paint`, a later shape covers an earlier shape. */
export const substanceAt = <Substance>(
  shapes: readonly Shape<Substance>[],
  point: Point,
  background: Substance,
): Substance => shapes.findLast((shape) => contains(shape, point))?.substance ?? background;

/** Whether a point lies inside a solid or on its surface. */
export const contains = ({ centre, radii }: Ellipsoid, point: Point): boolean => {
  const [left, posterior, superior] = scaled(between(centre, point), radii);
  return left ** 2 + posterior ** 2 + superior ** 2 <= 1;
};

/** The extent of a solid from its center in a direction of length 1. */
const reach = ({ radii }: Ellipsoid, direction: Point): number =>
  Math.sqrt((direction[0] * radii[0]) ** 2 + (direction[1] * radii[1]) ** 2 + (direction[2] * radii[2]) ** 2);

/** The first and last column inside a solid: where the line of the row enters and leaves it. */
const columnsInside = ({ centre, radii }: Ellipsoid, plane: Plane, row: number): [first: number, last: number] => {
  const start = scaled(between(centre, pointOf(row, 0, plane)), radii);
  const step = scaled(times(plane.along, plane.pixelSpacing), radii);
  const stepSquared = dot(step, step);
  const middle = -dot(start, step) / stepSquared;
  const halfWidthSquared = middle ** 2 - (dot(start, start) - 1) / stepSquared;
  if (halfWidthSquared < 0) return [0, -1];
  const halfWidth = Math.sqrt(halfWidthSquared);
  return [Math.max(0, Math.ceil(middle - halfWidth)), Math.min(plane.columns - 1, Math.floor(middle + halfWidth))];
};

const scaled = (vector: Point, radii: Point): Point => [
  vector[0] / radii[0],
  vector[1] / radii[1],
  vector[2] / radii[2],
];
