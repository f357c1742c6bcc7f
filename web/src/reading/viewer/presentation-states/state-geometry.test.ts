import { expect, test } from 'vitest';
import { areaOnScreen, inPixels, orientationOf } from './state-geometry.ts';

const [right, left, below, above] = [
  { x: 1, y: 0 },
  { x: -1, y: 0 },
  { x: 0, y: 1 },
  { x: 0, y: -1 },
];

test('a state rotates an image clockwise first, then mirrors it left-right (PS3.3 §C.10.6)', () => {
  const orientationWith = (rotation: 0 | 90 | 180 | 270, isFlipped: boolean) => orientationOf({ rotation, isFlipped });

  expect(orientationWith(0, false)).toEqual({ along: right, down: below });
  expect(orientationWith(90, false)).toEqual({ along: below, down: left });
  expect(orientationWith(180, false)).toEqual({ along: left, down: above });
  expect(orientationWith(270, false)).toEqual({ along: above, down: right });
  expect(orientationWith(0, true)).toEqual({ along: left, down: below });
  // If mirrored before the rotation, the columns would run up.
  expect(orientationWith(90, true)).toEqual({ along: below, down: right });
  expect(orientationWith(270, true)).toEqual({ along: above, down: left });
});

const area = {
  corners: [
    { x: 10, y: 20 },
    { x: 50, y: 30 },
  ] as const,
  magnification: undefined,
  aspectRatio: undefined,
};

test('after a quarter turn, the rows of a displayed area run down the screen', () => {
  expect(areaOnScreen(area, orientationOf({ rotation: 0, isFlipped: false }))).toEqual({
    middle: { x: 30, y: 25 },
    across: 40,
    downwards: 10,
  });
  expect(areaOnScreen(area, orientationOf({ rotation: 90, isFlipped: false }))).toMatchObject({
    across: 10,
    downwards: 40,
  });
});

test('fractions of a displayed area count from its corner at the top left of the screen', () => {
  const corner = (rotation: 0 | 90 | 180 | 270, isFlipped: boolean, x = 0, y = 0) =>
    inPixels({ x, y, units: 'DISPLAY' }, area, orientationOf({ rotation, isFlipped }));

  expect(corner(0, false)).toEqual({ x: 10, y: 20 });
  expect(corner(0, false, 1, 1)).toEqual({ x: 50, y: 30 });
  // After a rotation by 90 degrees clockwise, the lower left corner of the image is at the top left.
  expect(corner(90, false)).toEqual({ x: 10, y: 30 });
  expect(corner(90, false, 0, 1)).toEqual({ x: 50, y: 30 });
  expect(corner(180, false)).toEqual({ x: 50, y: 30 });
  expect(corner(0, true)).toEqual({ x: 50, y: 20 });
  expect(corner(90, true)).toEqual({ x: 10, y: 20 });
  expect(corner(90, true, 1, 0)).toEqual({ x: 10, y: 30 });
});

test('a point in image pixels stays at its pixel under any rotation', () => {
  const point = { x: 3.5, y: 7, units: 'PIXEL' } as const;

  expect(inPixels(point, area, orientationOf({ rotation: 270, isFlipped: true }))).toEqual(point);
});
