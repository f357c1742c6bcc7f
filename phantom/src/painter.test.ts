import { expect, test } from 'vitest';
import { between, pointOf, unit, type Plane } from './geometry.ts';
import { withValues, paint, sphere, substanceAt, tube, type Shape } from './painter.ts';
import { randomFrom } from './random.ts';

const oblique: Plane = {
  rows: 40,
  columns: 50,
  position: [-30, -20, 12],
  along: unit([3, 0, -1]),
  down: unit([0, 1, 0]),
  pixelSpacing: 1.1,
};

test('each pixel of a painted plane shows the tissue at its point', () => {
  const random = randomFrom('ellipsoids');
  const between0And = (most: number): number => random() * most;
  const shapes = Array.from({ length: 30 }, (_, index): Shape<number> => ({
    substance: index + 1,
    centre: [between0And(60) - 30, between0And(50) - 25, between0And(30) - 15],
    radii: [2 + between0And(15), 2 + between0And(15), 2 + between0And(15)],
  }));
  const picture = new Float32Array(oblique.rows * oblique.columns);

  paint(picture, oblique, shapes);

  const expected = Float32Array.from(picture, (_, index) => {
    const point = pointOf(Math.floor(index / oblique.columns), index % oblique.columns, oblique);
    return substanceAt(shapes, point, 0);
  });
  expect(picture).toEqual(expected);
});

test('where two shapes overlap, the later shape covers the earlier shape', () => {
  const shapes = [sphere('bone', [0, 0, 0], 10), sphere('marrow', [0, 0, 0], 5)];

  expect(substanceAt(shapes, [0, 0, 3], 'air')).toBe('marrow');
  expect(substanceAt(shapes, [0, 0, 7], 'air')).toBe('bone');
  expect(substanceAt(shapes, [0, 0, 11], 'air')).toBe('air');
});

test('a tube has no gaps and narrows evenly', () => {
  const spheres = tube('vessel', [4, 2], [0, 0, 0], [30, 0, 0], [30, 40, 0]);

  const radii = spheres.map(({ radii: [radius] }) => radius);
  const gaps = spheres.slice(1).map(({ centre }, index) => {
    const before = spheres[index]?.centre ?? centre;
    return Math.hypot(...between(before, centre));
  });
  expect(radii[0]).toBe(4);
  expect(radii.at(-1)).toBeCloseTo(2);
  expect(radii).toEqual(radii.toSorted((one, other) => other - one));
  expect(Math.max(...gaps)).toBeLessThan(2);
});

test('the painter replaces tissues by the pixel values of a modality', () => {
  const shapes = withValues([sphere('bone', [0, 0, 0], 1), sphere('fat', [5, 0, 0], 1)], { bone: 600, fat: -100 });

  expect(shapes.map(({ substance }) => substance)).toEqual([600, -100]);
});
