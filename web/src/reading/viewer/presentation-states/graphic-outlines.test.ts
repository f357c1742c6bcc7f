import { expect, test } from 'vitest';
import type { GraphicType } from './annotations.ts';
import { outlineOf } from './graphic-outlines.ts';

const outline = (type: GraphicType, points: readonly (readonly [number, number])[], isFilled = false) =>
  outlineOf(
    { kind: 'graphic', type, points: [], isFilled },
    points.map(([x, y]) => ({ x, y })),
  );

const extent = (points: readonly { x: number; y: number }[]) => {
  const [xs, ys] = [points.map(({ x }) => x), points.map(({ y }) => y)];
  return [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)].map((one) => Math.round(one * 100) / 100);
};

test('a circle is drawn around its center through the second point', () => {
  const { points, isClosed } = outline('CIRCLE', [
    [10, 20],
    [10, 25],
  ]);

  expect(isClosed).toBe(true);
  expect(extent(points)).toEqual([5, 15, 15, 25]);
});

test('an ellipse is drawn from the ends of both axes', () => {
  const { points } = outline('ELLIPSE', [
    [0, 10],
    [40, 10],
    [20, 4],
    [20, 16],
  ]);

  expect(extent(points)).toEqual([0, 40, 4, 16]);
});

test('an outline counts as closed, and can be filled, only if it ends where it starts', () => {
  const open = outline(
    'POLYLINE',
    [
      [0, 0],
      [4, 0],
      [4, 4],
    ],
    true,
  );
  const closed = outline(
    'POLYLINE',
    [
      [0, 0],
      [4, 0],
      [4, 4],
      [0, 0],
    ],
    true,
  );

  expect([open.isClosed, open.isFilled]).toEqual([false, false]);
  expect([closed.isClosed, closed.isFilled]).toEqual([true, true]);
});

test('an interpolated line of a state passes through all its points', () => {
  const through: [number, number][] = [
    [0, 0],
    [10, 5],
    [20, -5],
    [30, 0],
  ];
  const { points } = outline('INTERPOLATED', through);

  for (const [x, y] of through) {
    expect(Math.min(...points.map((point) => Math.hypot(point.x - x, point.y - y)))).toBeLessThan(0.001);
  }
  expect(points.length).toBeGreaterThan(20);
});

test('a point of a state is a mark of fixed size at any magnification', () => {
  expect(outline('POINT', [[3, 4]])).toMatchObject({ kind: 'marks', points: [{ x: 3, y: 4 }] });
});
