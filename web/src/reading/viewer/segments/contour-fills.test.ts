import { expect, test } from 'vitest';
import type { Slice } from '#reading/viewer/images/geometry/slice.ts';
import { fillsOf } from './contour-fills.ts';
import type { Contour } from './segment-set.ts';

const slice: Slice = {
  position: [-50, 7, 50],
  along: [1, 0, 0],
  down: [0, 0, -1],
  rows: 100,
  columns: 100,
  rowSpacing: 1,
  columnSpacing: 1,
  frameOfReference: '1.2',
};

type Corner = readonly [left: number, superior: number];

const contour = (corners: readonly Corner[], isExclusive = false): Contour => ({
  kind: 'closed',
  isExclusive,
  points: Float64Array.from(corners.flatMap(([left, superior]) => [left, 7, superior])),
  references: [],
});

const square = (left: number, superior: number, half: number, isExclusive = false): Contour =>
  contour(
    [
      [left - half, superior - half],
      [left + half, superior - half],
      [left + half, superior + half],
      [left - half, superior + half],
    ],
    isExclusive,
  );

const numbers = (contours: readonly Contour[]) =>
  fillsOf(contours, slice).map((together) => together.map((one) => contours.indexOf(one)));

test('a contour inside another is a hole, and a contour inside the hole is filled', () => {
  expect(numbers([square(0, 0, 20), square(5, 5, 10), square(5, 5, 3)])).toEqual([[0, 1, 2]]);
  expect(numbers([square(5, 5, 10), square(0, 0, 20)])).toEqual([[0, 1]]);
});

test('overlapping contours are filled, and so is their common area', () => {
  expect(numbers([square(0, 0, 20), square(25, 0, 20)])).toEqual([[0], [1]]);
});

test('overlapping exclusive contours are filled except for their common area', () => {
  expect(numbers([square(0, 0, 20, true), square(25, 0, 20, true)])).toEqual([[0, 1]]);
});

test('separate contours are filled one by one, each with its own holes', () => {
  expect(numbers([square(-20, 0, 10), square(20, 0, 10), square(20, 0, 5), square(-20, 2, 5)])).toEqual([
    [0, 3],
    [1, 2],
  ]);
});

test('a hole in the common area of two contours is a hole in both', () => {
  expect(numbers([square(0, 0, 20), square(15, 0, 21), square(8, 0, 3)])).toEqual([
    [0, 2],
    [1, 2],
  ]);
});

test('a contour that touches the edge from inside, or crosses it by rounding only, is a hole', () => {
  expect(numbers([square(0, 0, 20), square(10, 0, 10)])).toEqual([[0, 1]]);
  expect(numbers([square(0, 0, 20), square(10.05, 0, 10)])).toEqual([[0, 1]]);
  expect(numbers([square(0, 0, 20), square(11, 0, 10)])).toEqual([[0], [1]]);
});

test('a duplicate contour is filled', () => {
  expect(numbers([square(0, 0, 20), square(0, 0, 20)])).toEqual([[0], [1]]);
});

test('a contour in a concave part of another, but outside it, is not a hole', () => {
  const bay: Corner[] = [
    [-20, -20],
    [20, -20],
    [20, 20],
    [10, 20],
    [10, -10],
    [-10, -10],
    [-10, 20],
    [-20, 20],
  ];
  expect(numbers([contour(bay), square(0, 10, 5)])).toEqual([[0], [1]]);
});
