import type { Extent } from '#reading/viewer/images/geometry/fitted-scale.ts';

/** Values of one image, row by row. */
export type PlaneValues = Int8Array | Uint8Array | Int16Array | Uint16Array | Int32Array | Uint32Array | Float32Array;

/** Place in an image, or a step from one place to another. Whole numbers are the centers of pixels. */
export type PlacePoint = { column: number; row: number };

/** Image as it lies on a screen. */
export type PlacedPlane = {
  values: PlaneValues;
  rows: number;
  columns: number;
  /** Place of the center of the first screen pixel. */
  origin: PlacePoint;
  /** Step to the next screen pixel of a line. */
  across: PlacePoint;
  /** Step to the next line. */
  down: PlacePoint;
  /** Whether values between two pixels are interpolated. Otherwise each pixel of the image is a rectangle. */
  isSmooth: boolean;
};

/** Colors of values. Each entry is a color as RGBA in memory and stands for an equal part of the range. */
export type ColorTable = { entries: Uint32Array; lower: number; upper: number };

/** Part of a screen, in pixels. */
export type Area = { left: number; top: number; width: number; height: number };

/** Opaque black as RGBA in memory, on little-endian machines. All browsers run on these. */
const black = 0xff_00_00_00;

/** Greatest drift along the whole screen at which the lines of an image still count as lines of the screen. */
const noDrift = 0.001;

/** Returns the smallest area of the screen that contains the visible part of an image. */
export const coveredArea = ({ rows, columns, origin, across, down }: PlacedPlane, screen: Extent): Area => {
  const determinant = across.column * down.row - down.column * across.row;
  const corners = [-0.5, columns - 0.5].flatMap((column) =>
    [-0.5, rows - 0.5].map((row) => {
      const [c, r] = [column - origin.column, row - origin.row];
      return {
        x: (c * down.row - r * down.column) / determinant,
        y: (r * across.column - c * across.row) / determinant,
      };
    }),
  );
  const within = (place: number, end: number) => Math.min(end, Math.max(0, place));
  const [xs, ys] = [corners.map(({ x }) => x), corners.map(({ y }) => y)];
  const left = within(Math.floor(Math.min(...xs)), screen.width);
  const top = within(Math.floor(Math.min(...ys)), screen.height);
  return {
    left,
    top,
    width: within(Math.ceil(Math.max(...xs)) + 1, screen.width) - left,
    height: within(Math.ceil(Math.max(...ys)) + 1, screen.height) - top,
  };
};

/**
 * Returns two values for each screen pixel along one side. `first` is the first of the two neighboring image pixels (-1
 * outside of the image), and `share` is the share of the second.
 */
const samplesAlong = (count: number, start: number, step: number, places: number) => {
  const first = new Int32Array(count);
  const share = new Float64Array(count);
  for (let at = 0; at < count; at += 1) {
    const place = start + at * step;
    const inside = Math.min(places - 1, Math.max(0, place));
    first[at] = place < -0.5 || place > places - 0.5 ? -1 : Math.min(Math.floor(inside), Math.max(0, places - 2));
    share[at] = inside - (first[at] as number);
  }
  return { first, share };
};

/** Draws an image whose lines are lines of the screen: first between two rows, then between two columns. */
const drawStraight = (
  picture: Uint32Array,
  { left, top, width, height }: Area,
  plane: PlacedPlane,
  table: ColorTable,
) => {
  const { values, rows, columns, origin, across, down } = plane;
  const { entries, lower, upper } = table;
  const last = entries.length - 1;
  const factor = entries.length / (upper - lower);
  const along = samplesAlong(width, origin.column + left * across.column, across.column, columns);
  const below = samplesAlong(height, origin.row + top * down.row, down.row, rows);
  const { first, share } = along;
  const [shownFrom, shownTo] = [first.findIndex((at) => at >= 0), first.findLastIndex((at) => at >= 0) + 1];
  if (shownFrom < 0) {
    picture.fill(black);
    return;
  }
  const ends = [first[shownFrom] as number, first[shownTo - 1] as number];
  const [from, to] = [Math.min(...ends), Math.min(columns - 1, Math.max(...ends) + 1)];
  const line = new Float64Array(columns + 1);
  const next = rows > 1 ? columns : 0;
  // The indexes below are within their arrays, so each read gives a number.
  for (let y = 0; y < height; y += 1) {
    const out = y * width;
    const row = below.first[y] as number;
    if (row < 0) {
      picture.fill(black, out, out + width);
      continue;
    }
    const shareBelow = below.share[y] as number;
    const start = row * columns;
    for (let column = from; column <= to; column += 1) {
      const value = values[start + column] as number;
      const mixed = value + ((values[start + next + column] as number) - value) * shareBelow;
      line[column] = (mixed - lower) * factor;
    }
    picture.fill(black, out, out + shownFrom);
    for (let x = shownFrom; x < shownTo; x += 1) {
      const at = first[x] as number;
      const value = line[at] as number;
      const place = value + ((line[at + 1] as number) - value) * (share[x] as number);
      picture[out + x] = entries[place <= 0 ? 0 : place >= last ? last : place | 0] as number;
    }
    picture.fill(black, out + shownTo, out + width);
  }
};

/** Returns the value at a place inside of an image, interpolated between four values. */
const between = ({ values, rows, columns }: PlacedPlane, column: number, row: number): number => {
  const firstColumn = Math.min(column | 0, Math.max(0, columns - 2));
  const firstRow = Math.min(row | 0, Math.max(0, rows - 2));
  const at = firstRow * columns + firstColumn;
  const [right, below] = [columns > 1 ? 1 : 0, rows > 1 ? columns : 0];
  const share = column - firstColumn;
  const [a, c] = [values[at] as number, values[at + below] as number];
  const upper = a + ((values[at + right] as number) - a) * share;
  const lower = c + ((values[at + below + right] as number) - c) * share;
  return upper + (lower - upper) * (row - firstRow);
};

/** Draws a rotated or much reduced image, or one without interpolation, pixel by pixel of the screen. */
const drawTurned = (
  picture: Uint32Array,
  { left, top, width, height }: Area,
  plane: PlacedPlane,
  table: ColorTable,
) => {
  const { values, rows, columns, origin, across, down, isSmooth } = plane;
  const { entries, lower, upper } = table;
  const last = entries.length - 1;
  const factor = entries.length / (upper - lower);
  let out = 0;
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      const column = origin.column + (left + x) * across.column + (top + y) * down.column;
      const row = origin.row + (left + x) * across.row + (top + y) * down.row;
      let color = black;
      if (column >= -0.5 && column <= columns - 0.5 && row >= -0.5 && row <= rows - 0.5) {
        const insideColumn = Math.min(columns - 1, Math.max(0, column));
        const insideRow = Math.min(rows - 1, Math.max(0, row));
        const value = isSmooth
          ? between(plane, insideColumn, insideRow)
          : (values[Math.round(insideRow) * columns + Math.round(insideColumn)] as number);
        const place = (value - lower) * factor;
        color = entries[place <= 0 ? 0 : place >= last ? last : place | 0] as number;
      }
      picture[out] = color;
      out += 1;
    }
  }
};

/**
 * Draws an image into an area of the screen, interpolated between four values, then colored. `picture` holds the pixels of
 * the area, RGBA in memory, row by row. Outside of the image it is black.
 */
export const drawPlane = (picture: Uint32Array, area: Area, plane: PlacedPlane, table: ColorTable) => {
  const { across, down, columns, isSmooth } = plane;
  const isStraight = Math.abs(across.row * area.width) < noDrift && Math.abs(down.column * area.height) < noDrift;
  // Only a few values of such a line are drawn, so interpolating the whole line would cost more.
  const isReduced = Math.abs(across.column) > 2 && columns > 2 * area.width;
  if (isStraight && isSmooth && !isReduced) drawStraight(picture, area, plane, table);
  else drawTurned(picture, area, plane, table);
};
