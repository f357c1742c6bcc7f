import { expect, test } from 'vitest';
import {
  layoutAfter,
  layoutDigits,
  layoutFor,
  layoutInSpace,
  layoutLabel,
  layoutNames,
  neighborPane,
  panesOf,
  shapesOf,
} from './layouts.ts';

test('the layout key cycles through all layouts', () => {
  const offeredLayouts = [];
  let layout = layoutNames[0] as (typeof layoutNames)[number];
  do {
    offeredLayouts.push(layout);
    layout = layoutAfter(layout);
  } while (layout !== layoutNames[0]);

  expect(offeredLayouts).toEqual(['1x1', '1x2', '2x1', '1x3', '3x1', '2x2', '2x3', '3x2', '2x4', '4x2', '3x3']);
});

test('each layout has its own digit key', () => {
  expect(new Set(Object.values(layoutDigits)).size).toBe(layoutNames.length);
});

test('the smallest layout that holds all images is chosen', () => {
  expect([1, 2, 3, 4, 5, 6, 7, 20].map(layoutFor)).toEqual(['1x1', '1x2', '1x3', '2x2', '2x3', '2x3', '3x3', '3x3']);
  expect(panesOf('2x3')).toBe(6);
  expect(layoutLabel('2x1')).toBe('2 rows, 1 column');
});

test.each([
  ['a wide space', 1.8, '1x2', '1x2'],
  ['a tall space', 0.7, '1x2', '2x1'],
  ['a wide space', 1.8, '1x3', '1x3'],
  ['the space beside a report', 1.1, '1x3', '2x2'],
  ['a narrow strip', 0.4, '1x3', '3x1'],
  ['a tall space', 0.7, '2x3', '3x2'],
  ['a wide space', 1.8, '2x4', '2x4'],
  ['a tall space', 0.8, '2x4', '4x2'],
  ['a tall space', 0.5, '2x2', '2x2'],
] as const)('in %s (%d), the layout %s becomes %s', (_, aspect, layout, expected) => {
  expect(layoutInSpace(shapesOf(layout), aspect)).toBe(expected);
});

test('moving between panes stops at the edge of the layout', () => {
  expect(neighborPane('2x3', 0, 'right')).toBe(1);
  expect(neighborPane('2x3', 2, 'right')).toBe(2);
  expect(neighborPane('2x3', 1, 'down')).toBe(4);
  expect(neighborPane('2x3', 4, 'down')).toBe(4);
  expect(neighborPane('2x3', 4, 'up')).toBe(1);
  expect(neighborPane('2x3', 3, 'left')).toBe(3);
});
