import { expect, test } from 'vitest';
import { tag } from '#reading/viewer/images/header/dicom-json.ts';
import { depthOf, normalOf, planeOf } from './image-plane.ts';

const position = (values: number[]) => ({ [tag.ImagePositionPatient]: { vr: 'DS', Value: values } });
const orientation = (values: number[]) => ({ [tag.ImageOrientationPatient]: { vr: 'DS', Value: values } });
const sequence = (...items: object[]) => ({ vr: 'SQ', Value: items });

test('the plane of a single-frame image is read from the top level of its header', () => {
  const header = { ...position([-100, -90, 42]), ...orientation([1, 0, 0, 0, 1, 0]) };

  const plane = planeOf(header, 1);

  expect(plane).toEqual({ position: [-100, -90, 42], along: [1, 0, 0], down: [0, 1, 0] });
  expect(plane && normalOf(plane)).toEqual([0, 0, 1]);
  expect(plane && depthOf(plane)).toBe(42);
});

test('an enhanced image has one position for each frame and one shared orientation', () => {
  const frame = (height: number) => ({ [tag.PlanePositionSequence]: sequence(position([0, 0, height])) });
  const header = {
    [tag.SharedFunctionalGroupsSequence]: sequence({
      [tag.PlaneOrientationSequence]: sequence(orientation([0, 1, 0, 0, 0, -1])),
    }),
    [tag.PerFrameFunctionalGroupsSequence]: sequence(frame(10), frame(15)),
  };

  expect(planeOf(header, 2)?.position).toEqual([0, 0, 15]);
  expect(planeOf(header, 2)?.along).toEqual([0, 1, 0]);
});

const axial = [1, 0, 0, 0, 1, 0];
const coronal = [1, 0, 0, 0, 0, -1];

test.each([
  ['counted from the first frame', axial, [0, 2.5, 5], [-100, -90, 47]],
  ['counted from the first frame along its normal', coronal, [0, -2.5, -5], [-100, -95, 42]],
  ['as heights in the patient', axial, [42, 44.5, 47], [-100, -90, 47]],
])('the frames of a dose are placed by their offsets, %s', (_, directions, offsets, third) => {
  const header = {
    ...position([-100, -90, 42]),
    ...orientation(directions),
    [tag.GridFrameOffsetVector]: { vr: 'DS', Value: offsets },
  };

  expect(planeOf(header, 1)?.position).toEqual([-100, -90, 42]);
  expect(planeOf(header, 3)?.position).toEqual(third);
});

test.each([
  ['heights that do not begin at its position', axial, [0.5, 3, 5.5]],
  ['heights along another direction', coronal, [42, 44.5, 47]],
  ['no offset of its own', axial, [0, 2.5]],
])('a dose frame with %s has no plane', (_, directions, offsets) => {
  const header = {
    ...position([-100, -90, 42]),
    ...orientation(directions),
    [tag.GridFrameOffsetVector]: { vr: 'DS', Value: offsets },
  };

  expect(planeOf(header, 3)).toBeUndefined();
});

test('an image without a position in the patient has no plane', () => {
  expect(planeOf(orientation([1, 0, 0, 0, 1, 0]), 1)).toBeUndefined();
  expect(planeOf(position([0, 0, 0]), 1)).toBeUndefined();
  expect(planeOf({ ...position([0, 0]), ...orientation([1, 0, 0, 0, 1]) }, 1)).toBeUndefined();
});
