import { expect, test } from 'vitest';
import { measuredInSpace } from './measure-in-space.ts';

test.each([
  [
    'LENGTH',
    [
      [0, 0, 0],
      [30, 0, 40],
    ],
    { quantity: 'LENGTH', value: 50, unit: 'mm' },
  ],
  [
    'ANGLE',
    [
      [10, 0, 0],
      [0, 0, 0],
      [0, 0, 7],
    ],
    { quantity: 'ANGLE', value: 90, unit: '°' },
  ],
  [
    'ELLIPSE',
    [
      [0, 0, -5],
      [0, 0, 5],
      [0, -10, 0],
      [0, 10, 0],
    ],
    { quantity: 'AREA', value: 50 * Math.PI, unit: 'mm²' },
  ],
] as const)('values of a measurement of %s follow from its points in the patient', (tool, points, expected) => {
  expect(measuredInSpace(tool, points)).toEqual([{ ...expected, value: expect.closeTo(expected.value, 9) }]);
});

test('an angle without its second side has no value', () => {
  expect(
    measuredInSpace('ANGLE', [
      [1, 0, 0],
      [0, 0, 0],
    ]),
  ).toEqual([]);
  expect(
    measuredInSpace('ANGLE', [
      [1, 0, 0],
      [0, 0, 0],
      [0, 0, 0],
    ]),
  ).toEqual([]);
});
