import { expect, test } from 'vitest';
import { turned } from '#reading/viewer/images/geometry/image-plane.ts';
import { crossingOf, cutDirectionOn, type PositionedPlane, normalOfPlane } from './plane-crossing.ts';

const axial: PositionedPlane = { point: [-50, 20, 12], right: [1, 0, 0], down: [0, 1, 0] };
const sagittal: PositionedPlane = { point: [30, -80, 5], right: [0, 1, 0], down: [0, 0, -1] };
const coronal: PositionedPlane = { point: [7, -4, 90], right: [1, 0, 0], down: [0, 0, -1] };

test('three planes meet in one point', () => {
  expect(crossingOf([axial, sagittal, coronal])).toEqual([30, -4, 12]);
});

test('planes rotated together still meet at the center of rotation', () => {
  const angle = 0.7;
  const centre = [30, -4, 12] as const;
  const turnedTogether = [sagittal, coronal].map(({ right, down }) => ({
    point: centre,
    right: turned(right, normalOfPlane(axial), angle),
    down: turned(down, normalOfPlane(axial), angle),
  }));

  const crossing = crossingOf([axial, ...turnedTogether]);

  expect(crossing).toEqual(centre.map((part) => expect.closeTo(part, 9)));
});

test('fewer than three planes have no crossing point', () => {
  expect(crossingOf([axial, sagittal])).toBeUndefined();
});

test('rotating the horizontal direction of a plane by 90 degrees gives its vertical direction', () => {
  expect(turned(axial.right, normalOfPlane(axial), Math.PI / 2)).toEqual(
    axial.down.map((part) => expect.closeTo(part, 9)),
  );
});

test('on an axial image the sagittal plane is a vertical line and the coronal plane a horizontal line', () => {
  expect(cutDirectionOn(axial, sagittal).map(Math.abs)).toEqual([0, 1]);
  expect(cutDirectionOn(axial, coronal).map(Math.abs)).toEqual([1, 0]);
});
