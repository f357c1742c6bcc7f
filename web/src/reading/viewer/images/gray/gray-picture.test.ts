import { expect, test } from 'vitest';
import { grayPicture } from './gray-picture.ts';

const plain = { bits: 16, isSigned: true, stored: { lower: -2048, upper: 2047 }, slope: 1, intercept: 0 } as const;
const range = { lower: 0, upper: 100 };

/** Returns the gray values of the rendered image, row by row. */
const greys = (numbers: number[], size: [rows: number, columns: number], screen: [number, number], more = {}) => {
  const [rows, columns] = size;
  const [width, height] = screen;
  const frame = { ...plain, rows, columns, range, ...more };
  const picture = grayPicture(new Int16Array(numbers), frame, range, { width, height });
  return Array.from({ length: height }, (_, y) =>
    Array.from({ length: width }, (__, x) => picture[(y * width + x) * 4]),
  );
};

test('a value inside the window is rendered gray, a value outside black or white', () => {
  expect(greys([-50, 0, 20, 40, 100, 900], [2, 3], [3, 2])).toEqual([
    [0, 0, 51],
    [102, 255, 255],
  ]);
});

test('slope and intercept are applied before the window', () => {
  expect(greys([1044], [1, 1], [1, 1], { slope: 1, intercept: -1024 })).toEqual([[51]]);
  expect(greys([30], [1, 1], [1, 1], { slope: 2, intercept: -20 })).toEqual([[102]]);
});

test('values are interpolated before the window is applied', () => {
  expect(greys([-100, 100], [1, 2], [8, 4])[0]).toEqual([0, 0, 0, 0, 64, 191, 255, 255]);
});

test('a rendered image is centered and fitted with black around it', () => {
  expect(greys([100, 100], [1, 2], [2, 3])).toEqual([
    [0, 0],
    [255, 255],
    [0, 0],
  ]);
});

test('all pixels of a rendered image are opaque', () => {
  const picture = grayPicture(new Int16Array([7]), { ...plain, rows: 1, columns: 1, range }, range, {
    width: 3,
    height: 1,
  });
  expect([picture[3], picture[7], picture[11]]).toEqual([255, 255, 255]);
});
