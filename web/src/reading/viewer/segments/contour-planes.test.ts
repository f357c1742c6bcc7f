import { expect, test } from 'vitest';
import type { Vector } from '#reading/viewer/images/geometry/image-plane.ts';
import type { Slice } from '#reading/viewer/images/geometry/slice.ts';
import { placeContours } from './place-contours.ts';
import type { Contour } from './segment-set.ts';
import { notReached, type Placement, type Stack } from './image-stack.ts';

const sliceAt = (height: number): Slice => ({
  position: [-128, -128, height],
  along: [1, 0, 0],
  down: [0, 1, 0],
  rows: 256,
  columns: 256,
  rowSpacing: 1,
  columnSpacing: 1,
  frameOfReference: '1.2',
});

const stackAt = (...heights: number[]): Stack => ({
  targets: heights.map((height, index) => ({
    sopInstanceUID: `1.${index}`,
    frame: 1,
    slice: sliceAt(height),
    rows: 256,
    columns: 256,
  })),
  byInstance: new Map(heights.map((_, index) => [`1.${index}`, [index]])),
  spacing: heights[1] === undefined ? undefined : heights[1] - (heights[0] ?? 0),
});

type Circle = { centre?: Vector; radius: number; tilt?: number; refersTo?: string; kind?: Contour['kind'] };

/** Circle around the point 0, 0, height. Its plane rises by `tilt` mm per mm toward the patient's left. */
const circle = (
  height: number,
  { centre = [0, 0, 0], radius, tilt = 0, refersTo, kind = 'closed' }: Circle,
): Contour => ({
  kind,
  isExclusive: false,
  points: Float64Array.from(
    Array.from({ length: 72 }, (_, at) => (at * Math.PI) / 36).flatMap((angle) => {
      const left = centre[0] + radius * Math.cos(angle);
      return [left, centre[1] + radius * Math.sin(angle), height + tilt * left];
    }),
  ),
  references: refersTo === undefined ? [] : [{ sopInstanceUID: refersTo, frames: [] }],
});

const placementOf = (contours: readonly Contour[], stack: Stack): Placement =>
  placeContours(new Map([[1, { frameOfReference: '1.2', contours }]]), stack);

/** Returns the numbers of the contours drawn on each image. */
const drawnContours = ({ parts }: Placement, contours: readonly Contour[], stack: Stack): number[][] =>
  stack.targets.map((_, image) =>
    (parts.get(image) ?? []).map((part) => ('contour' in part ? contours.indexOf(part.contour) : -1)),
  );

const leftOut = ({ reasons }: Placement) => Object.fromEntries(reasons.get(1) ?? []);

test.each([
  ['2 mm', [0, 2, 4], [[0], [2], [4]], 3],
  ['1.5 mm', [0, 1.5, 3], [[0], [1], [3]], 2],
  ['3 mm', [0, 3], [[0], [3]], 3],
])(
  'if contours lie every 1 mm and images lie every %s, each image shows one contour',
  (_, heights, expected, others) => {
    const stack = stackAt(...heights);
    const contours = [0, 1, 2, 3, 4, 5]
      .slice(0, (heights.at(-1) ?? 0) + 2)
      .map((z) => circle(z, { radius: 30 - 0.2 * z }));
    const placement = placementOf(contours, stack);

    expect(drawnContours(placement, contours, stack)).toEqual(expected);
    expect(leftOut(placement)).toEqual({ [notReached]: others });
  },
);

test('of two contour planes at equal distance from an image, only the first is drawn', () => {
  const contours = [circle(1.5, { radius: 30 }), circle(2.5, { radius: 29 })];

  expect(drawnContours(placementOf(contours, stackAt(2)), contours, stackAt(2))).toEqual([[0]]);
});

test('a hole and the filled contour inside it are drawn with the contour of their plane, even if it is tilted', () => {
  const tilt = 0.008;
  const outer = { radius: 100, tilt };
  const hole = { radius: 20, centre: [70, 0, 0] as const, tilt };
  const island = { radius: 5, centre: [-110, 0, 0] as const, tilt };
  const contours = [circle(2, outer), circle(2, hole), circle(2, island), circle(2.4, { ...hole, radius: 19 })];
  const placement = placementOf(contours, stackAt(2, 4));

  expect(drawnContours(placement, contours, stackAt(2, 4))).toEqual([[0, 1, 2], []]);
  expect(leftOut(placement)).toEqual({ [notReached]: 1 });
});

test('contour planes that differ only by rounding count as one', () => {
  const contours = [circle(2, { radius: 30 }), circle(2.01, { radius: 10 })];

  expect(drawnContours(placementOf(contours, stackAt(2)), contours, stackAt(2))).toEqual([[0, 1]]);
});

test('all points of a structure set are drawn on their nearest image', () => {
  const contours = [0.2, -0.3, 0.4].map((z) => circle(z, { radius: 0, kind: 'point' }));

  expect(drawnContours(placementOf(contours, stackAt(0, 2)), contours, stackAt(0, 2))).toEqual([[0, 1, 2], []]);
});

test('if the image of a contour already has a contour of a nearer plane, the contour is reported as elsewhere', () => {
  const contours = [circle(0, { radius: 30, refersTo: '1.0' }), circle(0.8, { radius: 29, refersTo: '1.0' })];
  const placement = placementOf(contours, stackAt(0, 2));

  expect(drawnContours(placement, contours, stackAt(0, 2))).toEqual([[0], []]);
  expect(leftOut(placement)).toEqual({ 'the position differs from the referenced image': 1 });
});
