import { expect, test } from 'vitest';
import { circleOf, draggedSphere, gripAt } from './sphere-drawing.ts';
import type { DrawnView } from '#reading/viewer/volumes/use-drawn-view.ts';

/** Axial plane with two pixels per mm. The origin is in the center of 400 x 300 pixels. */
const axial: DrawnView = {
  toScreen: ([left, posterior]) => [200 + left * 2, 150 + posterior * 2],
  toPatient: (x, y) => [(x - 200) / 2, (y - 150) / 2, 0],
  right: [1, 0, 0],
  down: [0, 1, 0],
  normal: [0, 0, -1],
  scale: 2,
  width: 400,
  height: 300,
};

const sphere = { center: [10, -20, 5], radius: 13 } as const;

test('a plane off the center cuts a smaller circle from the sphere, and a plane outside cuts none', () => {
  expect(circleOf(axial, [0, 0, 5], sphere)).toEqual({ x: 220, y: 110, radius: 26 });
  expect(circleOf(axial, [0, 0, 10], sphere)).toEqual({ x: 220, y: 110, radius: 24 });
  expect(circleOf(axial, [0, 0, 20], sphere)).toBeUndefined();
});

test('dragging its center moves a sphere, and dragging its edge resizes it', () => {
  const circle = { x: 220, y: 110, radius: 26 };

  expect([gripAt(222, 109, circle), gripAt(246, 112, circle), gripAt(234, 110, circle)]).toEqual([
    'middle',
    'edge',
    undefined,
  ]);
  expect(draggedSphere(sphere, 'middle', [0, 0, 5])).toEqual({ center: [0, 0, 5], radius: 13 });
  expect(draggedSphere(sphere, 'edge', [10, -10, 5])).toEqual({ center: [10, -20, 5], radius: 10 });
});

test('a finger can grip a sphere from farther away than the mouse, also at the center of a small sphere', () => {
  const circle = { x: 220, y: 110, radius: 26 };
  const small = { x: 220, y: 110, radius: 12 };

  expect([gripAt(266, 110, circle), gripAt(266, 110, circle, true)]).toEqual([undefined, 'edge']);
  expect([gripAt(224, 110, small, true), gripAt(234, 110, small, true)]).toEqual(['middle', 'edge']);
});
