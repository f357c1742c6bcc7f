import { between, dot, plus, times, type Vector } from './image-plane.ts';
import { areParallel, distanceFrom, type Pixel, pixelAt, pointAt, shareFrame, type Slice } from './slice.ts';

/** Returns the outer corners of an image, half a pixel beyond the centers of its corner pixels. */
const cornersOf = (slice: Slice): Vector[] => {
  const [top, bottom, left, right] = [-0.5, slice.rows - 0.5, -0.5, slice.columns - 0.5];
  return [
    pointAt(slice, { row: top, column: left }),
    pointAt(slice, { row: top, column: right }),
    pointAt(slice, { row: bottom, column: right }),
    pointAt(slice, { row: bottom, column: left }),
  ];
};

/** Returns the points where the outline of one image crosses the plane of another: two points, or none. */
const passages = (source: Slice, target: Slice): Vector[] => {
  const corners = cornersOf(source);
  return corners.flatMap((corner, at) => {
    const next = corners[(at + 1) % corners.length] ?? corner;
    const [here, there] = [distanceFrom(target, corner), distanceFrom(target, next)];
    if (here < 0 === there < 0) return [];
    return [plus(corner, times(between(corner, next), here / (here - there)))];
  });
};

/** Limits a line to the area of an image. Undefined if no part of the line lies in the image (Liang and Barsky). */
const clipped = (start: Pixel, end: Pixel, { rows, columns }: Slice): [Pixel, Pixel] | undefined => {
  const way = { row: end.row - start.row, column: end.column - start.column };
  const edges = [
    { speed: -way.column, room: start.column + 0.5 },
    { speed: way.column, room: columns - 0.5 - start.column },
    { speed: -way.row, room: start.row + 0.5 },
    { speed: way.row, room: rows - 0.5 - start.row },
  ];
  let [from, to] = [0, 1];
  for (const { speed, room } of edges) {
    if (speed === 0 && room < 0) return undefined;
    if (speed < 0) from = Math.max(from, room / speed);
    if (speed > 0) to = Math.min(to, room / speed);
  }
  if (from >= to) return undefined;
  const at = (share: number): Pixel => ({
    row: start.row + way.row * share,
    column: start.column + way.column * share,
  });
  return [at(from), at(to)];
};

/**
 * Returns the line where `source` cuts `target`, in pixels of `target`, as far as both images extend. Undefined if they
 * share no frame of reference, are nearly parallel, or do not meet.
 */
export const crossingLine = (source: Slice, target: Slice): [Pixel, Pixel] | undefined => {
  if (!shareFrame(source, target) || areParallel(source, target)) return undefined;
  const [start, end] = passages(source, target);
  if (!start || !end || dot(between(start, end), between(start, end)) === 0) return undefined;
  return clipped(pixelAt(target, start), pixelAt(target, end), target);
};
