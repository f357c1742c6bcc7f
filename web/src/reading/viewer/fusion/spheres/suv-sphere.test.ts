import { expect, test } from 'vitest';
import type { Vector } from '#reading/viewer/images/geometry/image-plane.ts';
import { peakOf, peakRadius, statisticsOf } from './suv-sphere.ts';
import { indexOf, pointOf, valueAt, type VoxelGrid } from '#reading/viewer/fusion/pet/voxel-grid.ts';

/** Returns a PET with voxels of 4 x 4 x 3 mm and slices from the head down. `uptake` gives the value at a point. */
const gridOf = (uptake: (point: Vector) => number, spacing: Vector = [4, 4, 3]): VoxelGrid => {
  const grid: VoxelGrid = {
    dimensions: [40, 40, 50],
    spacing,
    origin: [-80, -70, 60],
    axes: [
      [1, 0, 0],
      [0, 1, 0],
      [0, 0, -1],
    ],
    at: (i, j, k) => uptake(pointOf(grid, [i, j, k])),
  };
  return grid;
};

const distance = (one: Vector, other: Vector) => Math.hypot(one[0] - other[0], one[1] - other[1], one[2] - other[2]);

const lesion: Vector = [10, -6, -20];
const ball = (radius: number, inside: number, outside: number) => (point: Vector) =>
  distance(point, lesion) <= radius ? inside : outside;

test('patient coordinates and grid indices convert into each other, whatever the slice direction', () => {
  const grid = gridOf(() => 0);

  const index = indexOf(grid, [-60, -50, 30]);

  expect(index).toEqual([5, 5, 10]);
  expect(pointOf(grid, index)).toEqual([-60, -50, 30]);
});

test('a point outside the volume has no value', () => {
  const grid = gridOf(() => 3);

  expect(valueAt(grid, [0, 0, 0])).toBe(3);
  expect(valueAt(grid, [0, 0, 70])).toBeUndefined();
});

test('the mean of a sphere within a lesion is the value of the lesion', () => {
  const grid = gridOf(ball(20, 8, 1));

  expect(statisticsOf(grid, { center: lesion, radius: 10 })).toMatchObject({ mean: 8, max: 8 });
  expect(peakOf(grid, { center: lesion, radius: 10 })).toBeCloseTo(8, 9);
});

test('voxels on the edge of a sphere count by their fraction inside', () => {
  const grid = gridOf(() => 1);

  for (const radius of [3, 7.5, 12, 21]) {
    const volume = statisticsOf(grid, { center: [11, -3, -21], radius })?.volume ?? 0;
    expect(volume / ((4 / 3) * Math.PI * (radius / 10) ** 3), `radius ${radius}`).toBeCloseTo(1, 1);
  }
});

test('the mean of a sphere follows the fraction of the lesion inside it', () => {
  const half = gridOf(([left]) => (left < lesion[0] ? 4 : 0));

  expect(statisticsOf(half, { center: lesion, radius: 15 })?.mean).toBeGreaterThan(1.7);
  expect(statisticsOf(half, { center: lesion, radius: 15 })?.mean).toBeLessThan(2.3);
});

test('the maximum of a sphere comes only from voxels whose center is inside', () => {
  const hot: Vector = [24, -6, -21];
  const grid = gridOf((point) => (distance(point, hot) < 2 ? 50 : 1));

  expect(statisticsOf(grid, { center: [12, -6, -21], radius: 11 })?.max).toBe(1);
  expect(statisticsOf(grid, { center: [12, -6, -21], radius: 12.5 })?.max).toBe(50);
});

test('a sphere smaller than a voxel has the value of that voxel', () => {
  const grid = gridOf(ball(6, 8, 1));

  expect(statisticsOf(grid, { center: [9, -7, -20], radius: 0.4 })).toMatchObject({ mean: 8, max: 8 });
});

test('a single hot voxel is the maximum of a sphere but not its peak', () => {
  const hot: Vector = [12, -6, -21];
  const grid = gridOf((point) => (distance(point, hot) < 1 ? 50 : 2));

  const region = { center: hot, radius: 10 };

  const peak = peakOf(grid, region) ?? 0;
  // The hot voxel fills 48 of the 1000 mm³.
  expect(peak).toBeCloseTo(2 + 48 * (48 / 1000), 1);
  expect(statisticsOf(grid, region)?.max).toBe(50);
});

test('the peak is searched in the whole sphere, and its averaging ball may extend beyond the sphere', () => {
  const hottest: Vector = [0, -6, -21];
  const grid = gridOf((point) => (distance(point, hottest) <= peakRadius + 5 ? 9 : 1));

  expect(peakOf(grid, { center: [9, -6, -21], radius: 10 })).toBeCloseTo(9, 6);
  expect(peakOf(grid, { center: [30, -6, -21], radius: 4 })).toBeLessThan(2);
});

test('a sphere that is partly outside the volume has no values', () => {
  const grid = gridOf(() => 3);

  expect(statisticsOf(grid, { center: [-78, -50, 30], radius: 10 })).toBeUndefined();
  expect(peakOf(grid, { center: [-80, -70, 60], radius: 2 })).toBeUndefined();
});
