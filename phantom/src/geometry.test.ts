import { expect, test } from 'vitest';
import { axial, coronal, normalOf, pixelOf, pointOf, sagittal, stackAround, unit, type Plane } from './geometry.ts';

const grid = { rows: 4, columns: 6, pixelSpacing: 2, slices: 3, spacing: 5 };

test('the point of a pixel maps back to that pixel, even on an oblique plane', () => {
  const tilted: Plane = {
    rows: 20,
    columns: 30,
    position: [-12, 7, 40],
    along: unit([1, 1, 0]),
    down: unit([0, 0, -1]),
    pixelSpacing: 0.8,
  };

  const pixel = pixelOf(pointOf(11, 23, tilted), tilted);

  expect(pixel.row).toBeCloseTo(11);
  expect(pixel.column).toBeCloseTo(23);
  expect(pixel.distance).toBeCloseTo(0);
});

test('slices follow each other toward the head, the back and the right', () => {
  expect(normalOf(axial)).toEqual([0, 0, 1]);
  expect(normalOf(coronal).map((length) => length + 0)).toEqual([0, 1, 0]);
  expect(normalOf(sagittal).map((length) => length + 0)).toEqual([-1, 0, 0]);
});

test('the slices of a stack lie around its center', () => {
  const planes = stackAround([10, 20, 30], axial, grid);

  expect(planes.map(({ position }) => position)).toEqual([
    [5, 17, 25],
    [5, 17, 30],
    [5, 17, 35],
  ]);
});

test('a negative slice spacing reverses the order of the slices', () => {
  const planes = stackAround([0, 0, 0], axial, { ...grid, spacing: -5 });

  expect(planes.map(({ position }) => position[2])).toEqual([5, 0, -5]);
});

test.each([0, -1, 2.5, NaN])('a stack of %d slices or rows is refused', (count) => {
  expect(() => stackAround([0, 0, 0], axial, { ...grid, slices: count })).toThrow(RangeError);
  expect(() => stackAround([0, 0, 0], axial, { ...grid, rows: count })).toThrow(RangeError);
});
