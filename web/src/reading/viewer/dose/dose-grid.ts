import { between, dot, type ImagePlane, normalOf, type Vector } from '#reading/viewer/images/geometry/image-plane.ts';
import { pointAt, type Slice } from '#reading/viewer/images/geometry/slice.ts';

/** Dose values in the patient (PS3.3 §C.8.8.3). */
export type DoseGrid = {
  /** Position of the first voxel of the lowest frame, and directions of rows and columns. */
  plane: ImagePlane;
  rows: number;
  columns: number;
  /** Distances between the centers of rows and of columns, in mm. */
  rowSpacing: number;
  columnSpacing: number;
  /** Distance of each frame from the first along the normal, in mm, ascending. The distances may differ. */
  heights: readonly number[];
  /** Values of the frames in the order of `heights`, in Gy, or without a unit for a relative dose. */
  values: Float32Array;
  maximum: number;
};

/** Largest rounding difference of a position, in voxels or mm. */
const rounding = 1e-3;

/** Distance within which a dose of a single frame is drawn, in mm. */
const singleReach = 1;

/** Index of the lower of the two neighbors of a place among `count` voxels, and the share of the upper one. */
type Between = { at: number; share: number };

const inRow = (place: number, count: number): Between | undefined => {
  if (place < -rounding || place > count - 1 + rounding) return undefined;
  const at = Math.min(Math.max(Math.floor(place), 0), Math.max(count - 2, 0));
  return { at, share: Math.min(Math.max(place - at, 0), 1) };
};

const inHeight = (height: number, heights: readonly number[]): Between | undefined => {
  const [lowest = 0] = heights;
  const highest = heights.at(-1) ?? 0;
  if (heights.length === 1) return Math.abs(height - lowest) <= singleReach ? { at: 0, share: 0 } : undefined;
  if (height < lowest - rounding || height > highest + rounding) return undefined;
  let at = 0;
  while (at < heights.length - 2 && (heights[at + 1] ?? 0) <= height) at += 1;
  const [below = 0, above = 0] = [heights[at], heights[at + 1]];
  return { at, share: Math.min(Math.max((height - below) / (above - below), 0), 1) };
};

/** Returns the dose at voxel coordinates, interpolated between its eight neighbors. NaN outside the grid. */
const valueAt = (grid: DoseGrid, column: number, row: number, height: number): number => {
  const { rows, columns, values, heights } = grid;
  const [x, y, z] = [inRow(column, columns), inRow(row, rows), inHeight(height, heights)];
  if (!x || !y || !z) return Number.NaN;
  // The last voxel of a row, a column or the stack is its own upper neighbor.
  const right = x.at + 1 < columns ? 1 : 0;
  const below = y.at + 1 < rows ? columns : 0;
  const next = z.at + 1 < heights.length ? rows * columns : 0;
  const first = (z.at * rows + y.at) * columns + x.at;
  const alongRow = (at: number) => (values[at] ?? 0) * (1 - x.share) + (values[at + right] ?? 0) * x.share;
  const inFrame = (at: number) => alongRow(at) * (1 - y.share) + alongRow(at + below) * y.share;
  return inFrame(first) * (1 - z.share) + inFrame(first + next) * z.share;
};

type Coordinates = [column: number, row: number, height: number];

const coordinatesOf = ({ plane, rowSpacing, columnSpacing }: DoseGrid, point: Vector): Coordinates => {
  const way = between(plane.position, point);
  return [dot(way, plane.along) / columnSpacing, dot(way, plane.down) / rowSpacing, dot(way, normalOf(plane))];
};

/** Returns the dose at a point of the patient. NaN outside the grid. */
export const doseAt = (grid: DoseGrid, point: Vector): number => valueAt(grid, ...coordinatesOf(grid, point));

/** Returns the dose at the center of each pixel of an image, row by row. NaN outside the grid. */
export const doseOnSlice = (grid: DoseGrid, slice: Slice): Float32Array => {
  const origin = coordinatesOf(grid, pointAt(slice, { row: 0, column: 0 }));
  const stepTo = (pixel: { row: number; column: number }): Coordinates => {
    const [column, row, height] = coordinatesOf(grid, pointAt(slice, pixel));
    return [column - origin[0], row - origin[1], height - origin[2]];
  };
  const [across, down] = [stepTo({ row: 0, column: 1 }), stepTo({ row: 1, column: 0 })];
  const doses = new Float32Array(slice.rows * slice.columns);
  for (let row = 0; row < slice.rows; row += 1) {
    for (let column = 0; column < slice.columns; column += 1) {
      doses[row * slice.columns + column] = valueAt(
        grid,
        origin[0] + row * down[0] + column * across[0],
        origin[1] + row * down[1] + column * across[1],
        origin[2] + row * down[2] + column * across[2],
      );
    }
  }
  return doses;
};
