import { expect, test } from 'vitest';
import { between, dot, type Vector } from '#reading/viewer/images/geometry/image-plane.ts';
import { type Crop, cropPlanes, endsOf, isWhole, wholeVolume } from './cropping.ts';

/** Grid of 100 columns, 50 rows and 20 slices with a spacing of 2, 2 and 5 mm, from head to feet. */
const grid = {
  origin: [-99, -49, 100],
  direction: [1, 0, 0, 0, 1, 0, 0, 0, -1],
  spacing: [2, 2, 5],
  dimensions: [100, 50, 20],
};

const isLeft = (crop: Crop, point: Vector) =>
  cropPlanes(grid, crop).every(({ origin, normal }) => dot(between(origin, point), normal) >= 0);

test('an uncropped volume has no crop planes', () => {
  expect(cropPlanes(grid, wholeVolume)).toEqual([]);
  expect(isWhole(wholeVolume)).toBe(true);
});

test('a volume cropped to half ends at its center, on either side', () => {
  const rightHalf: Crop = [
    [0, 50],
    [0, 100],
    [0, 100],
  ];
  const leftHalf: Crop = [
    [50, 100],
    [0, 100],
    [0, 100],
  ];

  expect(cropPlanes(grid, rightHalf)).toHaveLength(1);
  expect([isLeft(rightHalf, [-1, 0, 50]), isLeft(rightHalf, [1, 0, 50])]).toEqual([true, false]);
  expect([isLeft(leftHalf, [-1, 0, 50]), isLeft(leftHalf, [1, 0, 50])]).toEqual([false, true]);
});

test('six crop planes keep the part of the volume between them', () => {
  const middle: Crop = [
    [25, 75],
    [20, 80],
    [10, 60],
  ];

  expect(cropPlanes(grid, middle)).toHaveLength(6);
  expect(isLeft(middle, [0, 0, 70])).toBe(true);
  // The slices extend from 102.5 mm down by 100 mm. The remaining part starts 10 mm lower and ends at 42.5 mm.
  expect([
    isLeft(middle, [0, 0, 93]),
    isLeft(middle, [0, 0, 92]),
    isLeft(middle, [0, 0, 43]),
    isLeft(middle, [0, 0, 42]),
  ]).toEqual([false, true, true, false]);
  expect(isLeft(middle, [-51, 0, 70])).toBe(false);
  expect(isLeft(middle, [0, 31, 70])).toBe(false);
});

test('the ends of a crop axis are named after patient directions, even if slices go down', () => {
  expect([endsOf(grid, 0), endsOf(grid, 1), endsOf(grid, 2)]).toEqual([
    ['right', 'left'],
    ['front', 'back'],
    ['head', 'feet'],
  ]);
});
