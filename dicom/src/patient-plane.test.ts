import { expect, test } from 'vitest';
import { tagOf } from './dictionary.ts';
import { patientPlane, planeOfInstance } from './patient-plane.ts';

/** Turns an axial orientation about the axis from right to left, as a tilted gantry does. */
const tilted = (degrees: number): number[] => {
  const angle = (degrees * Math.PI) / 180;
  return [1, 0, 0, 0, Math.cos(angle), Math.sin(angle)];
};

test.each([
  ['axial', [1, 0, 0, 0, 1, 0]],
  ['axial', [-1, 0, 0, 0, -1, 0]],
  ['sagittal', [0, 1, 0, 0, 0, -1]],
  ['coronal', [1, 0, 0, 0, 0, -1]],
  ['axial', tilted(30)],
  ['axial', tilted(-30)],
  ['coronal', tilted(70)],
  // Rounded by the device.
  ['axial', [0.99, 0.02, 0, -0.02, 0.99, 0.01]],
])('finds the plane %s of the orientation %j', (plane, orientation) => {
  expect(patientPlane(orientation)).toBe(plane);
});

test.each([
  ['between two planes', tilted(45)],
  ['without values', []],
  ['with too few values', [1, 0, 0]],
  ['of zeros', [0, 0, 0, 0, 0, 0]],
  ['with equal rows and columns', [1, 0, 0, 1, 0, 0]],
  ['with a value that is no number', [1, 0, 0, 0, NaN, 0]],
])('finds no plane for an orientation %s', (_, orientation) => {
  expect(patientPlane(orientation)).toBeUndefined();
});

test('reads the orientation of a multi-frame image from its functional groups, those of the frame first', () => {
  const orientation = (...Value: number[]) => ({ [tagOf('ImageOrientationPatient')]: { vr: 'DS', Value } });
  const group = (keyword: string, ...Value: number[]) => ({
    [tagOf(keyword)]: {
      vr: 'SQ',
      Value: [{ [tagOf('PlaneOrientationSequence')]: { vr: 'SQ', Value: [orientation(...Value)] } }],
    },
  });
  const shared = group('SharedFunctionalGroupsSequence', 1, 0, 0, 0, 0, -1);

  expect(planeOfInstance(orientation(1, 0, 0, 0, 1, 0))).toBe('axial');
  expect(planeOfInstance(shared)).toBe('coronal');
  expect(planeOfInstance({ ...shared, ...group('PerFrameFunctionalGroupsSequence', 0, 1, 0, 0, 0, -1) })).toBe(
    'sagittal',
  );
  expect(planeOfInstance({})).toBeUndefined();
});
