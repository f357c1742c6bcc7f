import { expect, test } from 'vitest';
import { hottestOn, turned, viewFrom, viewText } from './projection-rotation.ts';
import { pointOf, type VoxelGrid } from '#reading/viewer/fusion/pet/voxel-grid.ts';

const close = (numbers: readonly number[]) => numbers.map((number) => Math.round(number * 1000) / 1000 + 0);

test('the projection shows the patient upright, from the front at 0° and from the left at 90°', () => {
  expect(close(viewFrom(0).normal)).toEqual([0, -1, 0]);
  expect(close(viewFrom(90).normal)).toEqual([1, 0, 0]);
  expect(close(viewFrom(180).normal)).toEqual([0, 1, 0]);
  expect(viewFrom(37).up).toEqual([0, 0, 1]);
  expect([viewText(0), viewText(90), viewText(30)]).toEqual(['from the front', 'from the left', 'rotated 30°']);
});

test('the angle of the projection starts again after 360 degrees', () => {
  expect(turned(350, 20)).toBe(10);
  expect(turned(10, -20)).toBe(350);
});

test('a click on the projection finds the hottest voxel on the line of sight', () => {
  const grid: VoxelGrid = {
    dimensions: [20, 20, 20],
    spacing: [4, 4, 4],
    origin: [-40, -40, -40],
    axes: [
      [1, 0, 0],
      [0, 1, 0],
      [0, 0, 1],
    ],
    at: (i, j, k) => (i === 12 && j === 15 && k === 10 ? 9 : i === 12 && j === 4 && k === 10 ? 5 : 1),
  };
  const hot = pointOf(grid, [12, 15, 10]);

  const position = hottestOn(grid, [hot[0], 0, hot[2]], viewFrom(0).normal);

  expect(Math.abs((position?.[1] ?? 0) - hot[1])).toBeLessThanOrEqual(2);
  expect(hottestOn(grid, [500, 0, 0], viewFrom(0).normal)).toBeUndefined();
});
