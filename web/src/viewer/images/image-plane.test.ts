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

test('an image that is not placed in the patient has no plane', () => {
  expect(planeOf(orientation([1, 0, 0, 0, 1, 0]), 1)).toBeUndefined();
  expect(planeOf(position([0, 0, 0]), 1)).toBeUndefined();
  expect(planeOf({ ...position([0, 0]), ...orientation([1, 0, 0, 0, 1]) }, 1)).toBeUndefined();
});
