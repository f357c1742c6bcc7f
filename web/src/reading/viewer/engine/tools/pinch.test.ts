import { expect, test } from 'vitest';
import { type Hold, pinched } from './pinch.ts';

const hold: Hold = {
  fingers: [
    [100, 100],
    [200, 100],
  ],
  lie: { zoom: 2, pan: [30, -10] },
  center: [200, 150],
};

/**
 * Returns the screen position of an image point. The point is given relative to the image center at zoom 1 without pan.
 */
const screenPoint = ({ zoom, pan }: Hold['lie'], [x, y]: readonly [number, number]) => [
  hold.center[0] + x * zoom + pan[0],
  hold.center[1] + y * zoom + pan[1],
];

const under = ([x, y]: readonly [number, number]): [number, number] => [
  (x - hold.center[0] - hold.lie.pan[0]) / hold.lie.zoom,
  (y - hold.center[1] - hold.lie.pan[1]) / hold.lie.zoom,
];

test('when two fingers move apart, the image points under the fingers stay there', () => {
  const now = pinched(hold, [
    [60, 130],
    [310, 130],
  ]);

  expect(now.zoom).toBe(5);
  expect(screenPoint(now, under([100, 100]))).toEqual([60, 130]);
  expect(screenPoint(now, under([200, 100]))).toEqual([310, 130]);
});

test('two fingers at a constant distance pan the image without zoom', () => {
  expect(
    pinched(hold, [
      [112, 95],
      [212, 95],
    ]),
  ).toEqual({ zoom: 2, pan: [42, -15] });
});

test('the zoom by two fingers has a limit, even for fingers that begin at one point', () => {
  const atOne = { ...hold, fingers: [hold.fingers[0], hold.fingers[0]] } as const;

  expect(pinched(atOne, hold.fingers).zoom).toBe(2);
  expect(
    pinched(hold, [
      [0, 0],
      [90_000, 0],
    ]).zoom,
  ).toBe(60);
});
