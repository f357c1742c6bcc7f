import { expect, test } from 'vitest';
import { tag } from './dicom-json.ts';
import { depthOf, normalOf, planeOf } from './image-plane.ts';

const position = (values: number[]) => ({ [tag.ImagePositionPatient]: { vr: 'DS', Value: values } });
const orientation = (values: number[]) => ({ [tag.ImageOrientationPatient]: { vr: 'DS', Value: values } });
const sequence = (...items: object[]) => ({ vr: 'SQ', Value: items });

test('a plain image keeps its plane at the top of its header', () => {
  const header = { ...position([-100, -90, 42]), ...orientation([1, 0, 0, 0, 1, 0]) };

  const plane = planeOf(header, 1);

  expect(plane).toEqual({ position: [-100, -90, 42], along: [1, 0, 0], down: [0, 1, 0] });
  expect(plane && normalOf(plane)).toEqual([0, 0, 1]);
  expect(plane && depthOf(plane)).toBe(42);
});

test('each frame of an enhanced image has a position of its own, and all share an orientation', () => {
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
  ['from its first frame on', axial, [0, 2.5, 5], [-100, -90, 47]],
  ['from its first frame on, along its own normal', coronal, [0, -2.5, -5], [-100, -95, 42]],
  ['by the heights themselves', axial, [42, 44.5, 47], [-100, -90, 47]],
])('the frames of a dose lie where its offsets say: %s', (_, directions, offsets, third) => {
  const header = {
    ...position([-100, -90, 42]),
    ...orientation(directions),
    [tag.GridFrameOffsetVector]: { vr: 'DS', Value: offsets },
  };

  expect(planeOf(header, 1)?.position).toEqual([-100, -90, 42]);
  expect(planeOf(header, 3)?.position).toEqual(third);
});

test.each([
  ['heights that are not its own', axial, [0.5, 3, 5.5]],
  ['heights along another direction', coronal, [42, 44.5, 47]],
  ['no offset', axial, [0, 2.5]],
])('of a dose frame with %s nobody knows where it lies', (_, directions, offsets) => {
  const header = {
    ...position([-100, -90, 42]),
    ...orientation(directions),
    [tag.GridFrameOffsetVector]: { vr: 'DS', Value: offsets },
  };

  expect(planeOf(header, 3)).toBeUndefined();
});

test('an image that is not placed in the patient has no plane', () => {
  expect(planeOf(orientation([1, 0, 0, 0, 1, 0]), 1)).toBeUndefined();
  expect(planeOf(position([0, 0, 0]), 1)).toBeUndefined();
  expect(planeOf({ ...position([0, 0]), ...orientation([1, 0, 0, 0, 1]) }, 1)).toBeUndefined();
});
