import { expect, test } from 'vitest';
import { coveredArea, drawPlane, type PlacedPlane } from './plane-picture.ts';

/** Returns a table with a gray for each value from 0 to 255. */
const table = {
  entries: Uint32Array.from({ length: 4096 }, (_, index) => 0xff_00_00_00 | ((index >> 4) * 0x01_01_01)),
  lower: 0,
  upper: 256,
};
const values = Int16Array.from({ length: 6 * 4 }, (_, at) => (at * 37) % 200);
const screen = { width: 16, height: 12 };

const planeWith = (place: Partial<PlacedPlane>): PlacedPlane => ({
  values,
  rows: 4,
  columns: 6,
  origin: { column: -1, row: -1 },
  across: { column: 0.5, row: 0 },
  down: { column: 0, row: 0.5 },
  isSmooth: true,
  ...place,
});

/** Returns the gray of a place by the definition of bilinear interpolation. Black outside of the image. */
const grayAt = ({ rows, columns, isSmooth }: PlacedPlane, column: number, row: number): number => {
  if (column < -0.5 || row < -0.5 || column > columns - 0.5 || row > rows - 0.5) return 0;
  const valueAt = (c: number, r: number) =>
    values[Math.min(rows - 1, Math.max(0, r)) * columns + Math.min(columns - 1, Math.max(0, c))] ?? Number.NaN;
  if (!isSmooth) return valueAt(Math.round(column), Math.round(row));
  const [c, r] = [Math.floor(column), Math.floor(row)];
  const mix = (one: number, other: number, share: number) => one * (1 - share) + other * share;
  const line = (at: number) => mix(valueAt(c, at), valueAt(c + 1, at), column - c);
  return mix(line(r), line(r + 1), row - r);
};

const drawn = (plane: PlacedPlane) => {
  const picture = new Uint32Array(screen.width * screen.height).fill(7);
  drawPlane(picture, { left: 0, top: 0, ...screen }, plane, table);
  return Array.from(picture, (color) => color & 0xff);
};

const expected = (plane: PlacedPlane) =>
  Array.from({ length: screen.width * screen.height }, (_, at) => {
    const [x, y] = [at % screen.width, Math.floor(at / screen.width)];
    const { origin, across, down } = plane;
    return grayAt(
      plane,
      origin.column + x * across.column + y * down.column,
      origin.row + x * across.row + y * down.row,
    );
  });

test.each([
  ['enlarged', {}],
  [
    'mirrored',
    { origin: { column: 6.3, row: 4.2 }, across: { column: -0.45, row: 0 }, down: { column: 0, row: -0.4 } },
  ],
  ['rotated', { origin: { column: 5, row: -1 }, across: { column: 0.1, row: 0.4 }, down: { column: -0.4, row: 0.1 } }],
  ['turned by 90 degrees', { across: { column: 0, row: 0.41 }, down: { column: 0.41, row: 0 } }],
  ['reduced', { across: { column: 2.5, row: 0 }, down: { column: 0, row: 2.5 }, origin: { column: 0.1, row: 0.2 } }],
  ['with rectangles for pixels', { isSmooth: false, origin: { column: -0.9, row: -0.8 } }],
  ['beyond all sides of the screen', { across: { column: 0.11, row: 0 }, origin: { column: 1.07, row: 1.03 } }],
] satisfies [string, Partial<PlacedPlane>][])('an image is drawn %s as its definition says', (_, place) => {
  const plane = planeWith(place);
  const [grays, right] = [drawn(plane), expected(plane)];
  const apart = grays.map((gray, at) => Math.abs(gray - (right[at] ?? Number.NaN)));

  // A gray of the table spans one value.
  expect(Math.max(...apart)).toBeLessThan(1.01);
  expect(new Set(grays).size).toBeGreaterThan(4);
});

test('an image with a single pixel, and one outside of the screen, are drawn', () => {
  const one = planeWith({ rows: 1, columns: 1, values: new Float32Array([90]) });
  expect(new Set(drawn(one))).toEqual(new Set([0, 90]));
  expect(new Set(drawn(planeWith({ origin: { column: 100, row: 0 } })))).toEqual(new Set([0]));
});

test('values below and above the range, and values that are no numbers, have the end colors', () => {
  const plane = planeWith({
    rows: 1,
    columns: 3,
    values: new Float32Array([-1e30, 1e30, Number.NaN]),
    origin: { column: 0, row: 0 },
    across: { column: 1, row: 0 },
    isSmooth: false,
  });
  expect(drawn(plane).slice(0, 2)).toEqual([0, 255]);
  expect(drawn(plane)[2]).toBe(0);
});

test('the covered area contains the whole visible image, and nothing of an image that is away', () => {
  const plane = planeWith({ origin: { column: -1, row: -1 } });
  expect(coveredArea(plane, screen)).toEqual({ left: 1, top: 1, width: 13, height: 9 });
  const away = planeWith({ origin: { column: 100, row: 0 } });
  expect(coveredArea(away, screen).width).toBe(0);
});
