import type { MeasurementTool } from '@radwork/contract/reading/measurements';
import type { Point } from '@radwork/dicom/image-grid';

/** A region, or a shape from which a value is read. Its points are those of the measurement. */
export type DrawnShape = { form: 'POINT' | 'LINE' | 'OUTLINE' | 'ELLIPSE' | 'SPHERE'; points: readonly Point[] };

/**
 * `region`: the values describe the area or volume inside this shape. `lines`: the values are read from these lines.
 */
export type DrawnShapes = { region: DrawnShape | undefined; lines: readonly DrawnShape[] };

const distance = (one: Point | undefined, other: Point | undefined): number =>
  one && other ? Math.hypot(one[0] - other[0], one[1] - other[1], one[2] - other[2]) : 0;

/** Returns two pairs of end points. The longer pair comes first. */
const longerFirst = (points: readonly Point[]): (readonly Point[])[] => {
  const [one, other] = [points.slice(0, 2), points.slice(2, 4)];
  return distance(one[0], one[1]) < distance(other[0], other[1]) ? [other, one] : [one, other];
};

const line = (points: readonly Point[]): DrawnShape => ({ form: 'LINE', points });
const region = (form: DrawnShape['form'], points: readonly Point[]): DrawnShapes => ({
  region: { form, points },
  lines: [],
});

/** Orders the corners around the rectangle. The library of the viewer stores them row by row. */
const around = ([one, beside, below, across]: readonly Point[]): Point[] =>
  one && beside && below && across ? [one, beside, across, below] : [];

/** Converts the points of a tool to shapes. The points are in the order of the viewer's library. */
export const drawnShapes = (tool: MeasurementTool, points: readonly Point[]): DrawnShapes => {
  switch (tool) {
    case 'LENGTH':
      return { region: undefined, lines: [line(points.slice(0, 2))] };
    case 'ANGLE':
      return { region: undefined, lines: [line(points.slice(0, 3))] };
    case 'COBB_ANGLE':
      return { region: undefined, lines: [line(points.slice(0, 2)), line(points.slice(2, 4))] };
    case 'BIDIRECTIONAL':
      return { region: undefined, lines: longerFirst(points).map(line) };
    case 'PROBE':
      return { region: undefined, lines: [{ form: 'POINT', points: points.slice(0, 1) }] };
    case 'ELLIPSE':
      return region('ELLIPSE', longerFirst(points).flat());
    case 'RECTANGLE':
      return region('OUTLINE', around(points));
    case 'FREEHAND':
      return region('OUTLINE', points);
    case 'SPHERE':
      return region('SPHERE', points.slice(0, 2));
    case 'ARROW':
    case 'TEXT':
      return region('POINT', points.slice(0, 1));
  }
};

/** Returns an outline that ends at its first point (PS3.3 §C.18.6.1.2). */
export const closed = (points: readonly Point[]): readonly Point[] => {
  const [first] = points;
  return first && distance(first, points.at(-1)) > 0 ? [...points, first] : points;
};

/**
 * Returns the ends of a sphere's three axes, from its center and a point on its surface (PS3.3 §C.18.9.1.2, ELLIPSOID).
 */
export const axesOfSphere = ([middle, edge]: readonly Point[]): Point[] => {
  if (!middle) return [];
  const radius = distance(middle, edge);
  const [x, y, z] = middle;
  return [
    [x - radius, y, z],
    [x + radius, y, z],
    [x, y - radius, z],
    [x, y + radius, z],
    [x, y, z - radius],
    [x, y, z + radius],
  ];
};
