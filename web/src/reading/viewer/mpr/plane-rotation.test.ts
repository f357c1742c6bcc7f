import { expect, test } from 'vitest';
import { cross, type Vector } from '#reading/viewer/images/geometry/image-plane.ts';
import { middleOfPoints, rotationBetween } from './plane-rotation.ts';

const axial = { normal: [0, 0, -1], up: [0, -1, 0] } as const;
const oblique = { normal: [0.6, 0, -0.8], up: [0.8, 0, 0.6] } as const;
const nearly = (vector: Vector) => vector.map((part) => expect.closeTo(part, 9));

test('the rotation from one plane to another also rotates perpendicular directions', () => {
  const turn = rotationBetween(axial, oblique);

  expect(turn(axial.normal)).toEqual(nearly(oblique.normal));
  expect(turn(axial.up)).toEqual(nearly(oblique.up));
  expect(turn(cross(axial.up, axial.normal))).toEqual(nearly(cross(oblique.up, oblique.normal)));
});

test('the center of a line on a plane is its midpoint', () => {
  expect(
    middleOfPoints([
      [0, 10, -4],
      [2, 20, 4],
    ]),
  ).toEqual([1, 15, 0]);
});
