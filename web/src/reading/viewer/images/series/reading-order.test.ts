import { expect, test } from 'vitest';
import type { ImagePlane } from '#reading/viewer/images/geometry/image-plane.ts';
import { inReadingOrder } from './reading-order.ts';

const axialAt = (height: number): ImagePlane => ({ position: [0, 0, height], along: [1, 0, 0], down: [0, 1, 0] });
const sagittalAt = (left: number): ImagePlane => ({ position: [left, 0, 0], along: [0, 1, 0], down: [0, 0, -1] });
const image = (instanceNumber: number | undefined, plane?: ImagePlane, frame = 1) => ({ instanceNumber, plane, frame });

test('slices are ordered by position, in the direction of their numbers', () => {
  const [top, middle, bottom] = [image(1, axialAt(100)), image(2, axialAt(50)), image(3, axialAt(0))];

  expect(inReadingOrder([bottom, top, middle])).toEqual([top, middle, bottom]);
});

test('a slice with a wrong number is ordered by its position', () => {
  const slices = [1, 2, 3, 4, 5, 6].map((number) => image(number, axialAt(number * 5)));
  const [first, ...others] = slices;
  const misnumbered = { ...first, instanceNumber: 99, plane: axialAt(5), frame: 1 };

  expect(inReadingOrder([...others, misnumbered]).map(({ plane }) => plane?.position[2])).toEqual([
    5, 10, 15, 20, 25, 30,
  ]);
});

test('slices without numbers are ordered by position', () => {
  const heights = [20, 0, 10].map((height) => image(undefined, axialAt(height)));

  expect(inReadingOrder(heights).map(({ plane }) => plane?.position[2])).toEqual([0, 10, 20]);
});

test('phases of one slice stay in the order of their numbers', () => {
  const phases = [image(3, axialAt(5)), image(1, axialAt(0)), image(4, axialAt(0)), image(2, axialAt(5))];

  expect(inReadingOrder(phases).map(({ instanceNumber }) => instanceNumber)).toEqual([1, 2, 3, 4]);
});

test('localizers of several directions stay in the order of their numbers', () => {
  const localizers = [image(2, sagittalAt(0)), image(1, axialAt(0)), image(3, sagittalAt(-9))];

  expect(inReadingOrder(localizers).map(({ instanceNumber }) => instanceNumber)).toEqual([1, 2, 3]);
});

test('images without a position are ordered by number and frame', () => {
  const frames = [image(2, undefined, 1), image(1, undefined, 10), image(1, undefined, 9), image(undefined)];

  expect(inReadingOrder(frames).map(({ instanceNumber, frame }) => [instanceNumber, frame])).toEqual([
    [1, 9],
    [1, 10],
    [2, 1],
    [undefined, 1],
  ]);
});
