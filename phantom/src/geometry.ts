/** A point or direction in the patient in mm: to the left, the back and the head (PS3.3 §C.7.6.2.1.1). */
export type Point = readonly [left: number, posterior: number, superior: number];

/**
 * The image plane of PS3.3 §C.7.6.2. `position` is the center of the first pixel. `along` is the direction of rising
 * columns, `down` of rising rows, both of length 1.
 */
export type Plane = {
  rows: number;
  columns: number;
  position: Point;
  along: Point;
  down: Point;
  /** Millimeters between neighboring pixels. Pixels are square. */
  pixelSpacing: number;
};

export type Orientation = Pick<Plane, 'along' | 'down'>;

/** View from the feet, with the patient's left on the right of the image. */
export const axial: Orientation = { along: [1, 0, 0], down: [0, 1, 0] };
/** View from the front, with the patient's left on the right of the image. */
export const coronal: Orientation = { along: [1, 0, 0], down: [0, 0, -1] };
/** View from the left, with the face on the left of the image. */
export const sagittal: Orientation = { along: [0, 1, 0], down: [0, 0, -1] };

export const dot = (one: Point, other: Point): number => one[0] * other[0] + one[1] * other[1] + one[2] * other[2];

/** The vector from one point to another. */
export const between = (start: Point, end: Point): Point => [end[0] - start[0], end[1] - start[1], end[2] - start[2]];

export const plus = (one: Point, other: Point): Point => [one[0] + other[0], one[1] + other[1], one[2] + other[2]];

export const times = (vector: Point, factor: number): Point => [
  vector[0] * factor,
  vector[1] * factor,
  vector[2] * factor,
];

export const cross = (one: Point, other: Point): Point => [
  one[1] * other[2] - one[2] * other[1],
  one[2] * other[0] - one[0] * other[2],
  one[0] * other[1] - one[1] * other[0],
];

/** The same direction with length 1. */
export const unit = (vector: Point): Point => {
  const length = Math.hypot(...vector);
  return [vector[0] / length, vector[1] / length, vector[2] / length];
};

/** The direction in which the slices of a stack follow each other. */
export const normalOf = ({ along, down }: Orientation): Point => cross(along, down);

/** The center of a pixel in the patient. Rows and columns count from 0. */
export const pointOf = (row: number, column: number, { position, along, down, pixelSpacing }: Plane): Point =>
  plus(position, plus(times(along, column * pixelSpacing), times(down, row * pixelSpacing)));

/**
 * Projects a point onto the plane. Returns its pixel from 0, not rounded, and its distance in mm, positive on the side
 * of the normal.
 */
export const pixelOf = (point: Point, plane: Plane): { row: number; column: number; distance: number } => {
  const offset = between(plane.position, point);
  return {
    row: dot(offset, plane.down) / plane.pixelSpacing,
    column: dot(offset, plane.along) / plane.pixelSpacing,
    distance: dot(offset, normalOf(plane)),
  };
};

export type Grid = Pick<Plane, 'rows' | 'columns' | 'pixelSpacing'>;

/** The plane of a grid around a center. Throws RangeError for a grid without whole rows and columns. */
export const planeAround = (center: Point, { along, down }: Orientation, grid: Grid): Plane => {
  const { rows, columns, pixelSpacing } = grid;
  if (!isCount(rows) || !isCount(columns))
    throw new RangeError(`Invalid image size: ${rows} rows and ${columns} columns`);
  const toFirstColumn = times(along, ((1 - columns) / 2) * pixelSpacing);
  const toFirstRow = times(down, ((1 - rows) / 2) * pixelSpacing);
  return { rows, columns, pixelSpacing, along, down, position: plus(center, plus(toFirstColumn, toFirstRow)) };
};

/**
 * Parallel planes around a center, `spacing` mm apart along their normal, or against it if negative. Throws RangeError
 * for numbers of slices, rows or columns that are not whole.
 */
export const stackAround = (
  center: Point,
  orientation: Orientation,
  { slices, spacing, ...grid }: Grid & { slices: number; spacing: number },
): Plane[] => {
  if (!isCount(slices)) throw new RangeError(`Invalid number of slices: ${slices}`);
  const normal = normalOf(orientation);
  return Array.from({ length: slices }, (_, index) => {
    const toSlice = times(normal, (index - (slices - 1) / 2) * spacing);
    return planeAround(plus(center, toSlice), orientation, grid);
  });
};

const isCount = (number: number): boolean => Number.isInteger(number) && number > 0;
