import { expect, test } from 'vitest';
import { type MeasurementForm, measurementForm, planeWords } from './measurements.ts';
import { summaryOf } from './measurement-text.ts';

test.each([
  [[{ quantity: 'LENGTH', value: 12.345, unit: 'mm' }], '12.3 mm'],
  [
    [
      { quantity: 'LENGTH', value: 5.0199, unit: 'cm' },
      { quantity: 'SHORT_AXIS', value: 2, unit: 'cm' },
    ],
    '5.02 cm × 2 cm',
  ],
  [
    [
      { quantity: 'LENGTH', value: 40, unit: 'mm', scale: 'DETECTOR' },
      { quantity: 'SHORT_AXIS', value: 20, unit: 'mm', scale: 'DETECTOR' },
    ],
    '40 mm × 20 mm at the detector',
  ],
  [[{ quantity: 'AREA', value: 80, unit: 'mm²', scale: 'MAGNIFICATION' }], '80 mm² magnification corrected'],
  [[{ quantity: 'ANGLE', value: 90.04, unit: '°' }], '90°'],
  [
    [
      { quantity: 'AREA', value: 251.25, unit: 'mm²' },
      { quantity: 'MEAN', value: -45.33, unit: 'HU' },
      { quantity: 'STANDARD_DEVIATION', value: 12.04, unit: 'HU' },
      { quantity: 'MAXIMUM', value: 80, unit: 'HU' },
    ],
    '251.3 mm² · -45.3 HU ± 12',
  ],
  [
    [
      { quantity: 'TIME', value: 0.2834, unit: 's' },
      { quantity: 'VELOCITY', value: 62.26, unit: 'cm/s' },
    ],
    '0.283 s · Δv 62.3 cm/s',
  ],
  [[{ quantity: 'VELOCITY', value: -62.26, unit: 'cm/s' }], '-62.3 cm/s'],
  [[{ quantity: 'AREA', value: 1.2345, unit: 'cm²' }], '1.23 cm²'],
  [
    [
      { quantity: 'MEAN', value: 7.9966, unit: 'SUV' },
      { quantity: 'MAXIMUM', value: 8.1249, unit: 'SUV' },
      { quantity: 'PEAK', value: 8.02, unit: 'SUV' },
      { quantity: 'VOLUME', value: 4.188, unit: 'ml' },
    ],
    'mean 8 SUV · max 8.12 SUV · peak 8.02 SUV · 4.19 ml',
  ],
  [
    [
      { quantity: 'MEAN', value: 0.000_853_1, unit: '' },
      { quantity: 'STANDARD_DEVIATION', value: 0.000_124_9, unit: '' },
    ],
    '0.000853 ± 0.000125',
  ],
  [
    [
      { quantity: 'MEAN', value: 212.349, unit: '' },
      { quantity: 'STANDARD_DEVIATION', value: 4.567, unit: '' },
    ],
    '212.3 ± 4.57',
  ],
  [
    [
      { quantity: 'MEAN', value: 2.3449, unit: 'SUV' },
      { quantity: 'STANDARD_DEVIATION', value: 0.1249, unit: 'SUV' },
    ],
    '2.34 SUV ± 0.12',
  ],
  [[{ quantity: 'VALUE', value: 0.4537, unit: '' }], '0.454'],
  [[{ quantity: 'VALUE', value: 0, unit: '' }], '0'],
  [[{ quantity: 'VALUE', value: -1e-15, unit: 'mg/ml' }], '0 mg/ml'],
  [[{ quantity: 'LENGTH', value: 0.0412, unit: 'mm' }], '0 mm'],
  [[], ''],
] as const)('the values of a measurement are summarized in one line', (values, line) => {
  expect(summaryOf(values)).toBe(line);
});

const onPlane: MeasurementForm = {
  tool: 'LENGTH',
  seriesInstanceUID: '2.25.2',
  sopInstanceUID: null,
  frame: null,
  frameOfReferenceUID: '2.25.77',
  points: [
    [-25, 30, 0],
    [25, 30, 0],
  ],
  plane: { normal: [0, -1, 0], up: [0, 0, 1] },
  label: '',
  values: [{ quantity: 'LENGTH', value: 50, unit: 'mm' }],
  revision: 0,
};

const messagesFor = (change: Partial<MeasurementForm>) =>
  measurementForm.safeParse({ ...onPlane, ...change }).error?.issues.map(({ message }) => message) ?? [];

test('a measurement on a plane has all its points on the plane, except a sphere', () => {
  const across: MeasurementForm['points'] = [
    [-25, 30, 0],
    [25, 31, 0],
  ];

  expect(messagesFor({})).toEqual([]);
  expect(messagesFor({ points: across })).toEqual(['All points of the measurement must lie on its plane']);
  expect(messagesFor({ points: across, tool: 'SPHERE' })).toEqual([]);
});

test('a measured value accepts a unit as long as a DICOM image can give (PS3.5 §6.2, LO)', () => {
  const valued = (unit: string) => ({ values: [{ quantity: 'MEAN' as const, value: 3.4, unit }] });

  expect(messagesFor(valued('RELATIVE ELECTRON DENSITY'))).toEqual([]);
  expect(messagesFor(valued('E'.repeat(65)))).toEqual(['The unit is longer than 64 characters']);
});

test.each([
  ['that are not at right angles', { normal: [0, -1, 0], up: [0, 0.6, 0.8] }],
  ['of length zero', { normal: [0, 0, 0], up: [0, 0, 1] }],
] as const)('a measurement plane with directions %s is refused', (_, { normal, up }) => {
  expect(messagesFor({ plane: { normal: [...normal], up: [...up] } })).toContain(
    'A plane needs two perpendicular directions of length 1',
  );
});

test.each([
  [[0, 0, -1], 'axial plane'],
  [[1, 0, 0], 'sagittal plane'],
  [[0, 0.99999, 0.00447], 'coronal plane'],
  [[0, 0.9, 0.43589], 'oblique plane'],
] as const)('a measurement plane with normal %j is named after its orientation', ([x, y, z], words) => {
  expect(planeWords({ normal: [x, y, z], up: [0, 0, 1] })).toBe(words);
});
