import { expect, test } from 'vitest';
import type { Vector } from '#reading/viewer/images/geometry/image-plane.ts';
import { isOnPlane, reachesInto } from './drawings-on-plane.ts';

const axial = { point: [10, 20, 30] as const, normal: [0, 0, -1] as const, reach: 3 };
const line = (height: number, normal: Vector = [0, 0, -1]) => ({
  normal,
  points: [
    [-25, 0, height],
    [25, 0, height],
  ] as const,
});

test.each([
  ['on the plane', line(30), true],
  ['half a slice in front of the plane', line(33), true],
  ['on the plane seen from behind', line(30, [0, 0, 1]), true],
  ['one slice away from the plane', line(36), false],
  ['on the plane but drawn on a perpendicular plane', line(30, [0, 1, 0]), false],
  ['drawn on a plane rotated by five degrees', line(30, [0, 0.0872, -0.9962]), false],
  ['with one end off the plane', { normal: [0, 0, -1], points: [line(30).points[0], [25, 0, 36]] } as const, false],
])('a plane shows only lines drawn on it: a line %s (case %#)', (_, drawing, isShown) => {
  expect(isOnPlane(drawing, axial)).toBe(isShown);
});

test('a slab shows the drawings inside it', () => {
  expect(isOnPlane(line(52), { ...axial, reach: 25 })).toBe(true);
  expect(isOnPlane(line(56), { ...axial, reach: 25 })).toBe(false);
});

test('a drawing counts as visible if it reaches into the image of the plane', () => {
  const picture = { width: 400, height: 300 };

  expect(
    reachesInto(
      [
        [-50, 150],
        [450, 150],
      ],
      picture,
    ),
  ).toBe(true);
  expect(
    reachesInto(
      [
        [350, 250],
        [500, 400],
      ],
      picture,
    ),
  ).toBe(true);
  expect(
    reachesInto(
      [
        [410, 150],
        [500, 150],
      ],
      picture,
    ),
  ).toBe(false);
  expect(
    reachesInto(
      [
        [100, -40],
        [200, -1],
      ],
      picture,
    ),
  ).toBe(false);
});
