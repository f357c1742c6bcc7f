import { expect, test } from 'vitest';
import type { MeasurementTool } from '@radwork/contract/reading/measurements';
import type { Pixel, RegionAxis, UltrasoundRegion } from '#reading/viewer/images/header/ultrasound-regions.ts';
import { valuesInRegions } from './region-values.ts';

const axis = (unit: RegionAxis['unit'], perPixel: number, atZero?: number): RegionAxis => ({ unit, perPixel, atZero });

const tissue: UltrasoundRegion = {
  kind: 'tissue',
  first: [0, 0],
  last: [299, 199],
  isLowPriority: false,
  x: axis('cm', 0.05),
  y: axis('cm', 0.05),
};
const doppler: UltrasoundRegion = {
  kind: 'spectrum',
  first: [0, 220],
  last: [299, 299],
  isLowPriority: false,
  x: axis('s', 0.005),
  // Row 280 is velocity 0.
  y: axis('cm/s', -1.5, 420),
};
const motion: UltrasoundRegion = { ...doppler, kind: 'motion', y: axis('cm', 0.1) };

const read = (tool: MeasurementTool, points: readonly Pixel[], ...regions: UltrasoundRegion[]) => {
  const { values, remark } = valuesInRegions(tool, points, regions);
  return [...values.map(({ quantity, value, unit }) => `${quantity} ${value.toFixed(3)} ${unit}`), remark];
};

test('a line on ultrasound tissue is a length, even if column and row scales differ', () => {
  const flat: UltrasoundRegion = { ...tissue, y: axis('cm', 0.1) };

  expect(
    read(
      'LENGTH',
      [
        [10, 10],
        [40, 50],
      ],
      tissue,
    ),
  ).toEqual(['LENGTH 2.500 cm', '']);
  expect(
    read(
      'LENGTH',
      [
        [10, 10],
        [40, 50],
      ],
      flat,
    ),
  ).toEqual(['LENGTH 4.272 cm', '']);
});

test('a line on Doppler is a time and a difference of velocity', () => {
  expect(
    read(
      'LENGTH',
      [
        [100, 270],
        [40, 230],
      ],
      doppler,
    ),
  ).toEqual(['TIME 0.300 s', 'VELOCITY 60.000 cm/s', '']);
});

test('a line in M-mode is a time and a depth, never an oblique length', () => {
  expect(
    read(
      'LENGTH',
      [
        [100, 230],
        [40, 250],
      ],
      motion,
    ),
  ).toEqual(['TIME 0.300 s', 'LENGTH 2.000 cm', '']);
});

test('a Doppler region scaled in frequencies gives times but no velocity', () => {
  const shift: UltrasoundRegion = { ...doppler, y: axis('Hz', -100, 28_000) };

  expect(
    read(
      'LENGTH',
      [
        [100, 270],
        [40, 230],
      ],
      shift,
    ),
  ).toEqual(['TIME 0.300 s', '']);
  expect(read('PROBE', [[100, 270]], shift)).toEqual(['']);
});

test('a point on Doppler is a velocity with its sign', () => {
  expect(read('PROBE', [[100, 240]], doppler)).toEqual(['VELOCITY 60.000 cm/s', '']);
  expect(read('PROBE', [[100, 290]], doppler)).toEqual(['VELOCITY -15.000 cm/s', '']);
});

test('a point on tissue, outside regions or without a baseline has no velocity', () => {
  expect(read('PROBE', [[100, 240]], { ...doppler, y: axis('cm/s', -1.5) })).toEqual(['']);
  expect(read('PROBE', [[100, 100]], tissue)).toEqual(['']);
  expect(read('PROBE', [[100, 210]], tissue, doppler)).toEqual(['']);
});

test('a line across or outside ultrasound regions is measured in pixels, with the reason', () => {
  expect(
    read(
      'LENGTH',
      [
        [10, 190],
        [10, 230],
      ],
      tissue,
      doppler,
    ),
  ).toEqual(['LENGTH 40.000 px', 'across several regions']);
  expect(
    read(
      'LENGTH',
      [
        [10, 205],
        [110, 205],
      ],
      tissue,
      doppler,
    ),
  ).toEqual(['LENGTH 100.000 px', 'outside the calibrated regions']);
  expect(
    read(
      'ELLIPSE',
      [
        [50, 240],
        [50, 140],
        [0, 190],
        [100, 190],
      ],
      tissue,
      doppler,
    ),
  ).toEqual(['AREA 7853.982 px²', 'across several regions']);
});

test('areas are measured in square centimeters on ultrasound tissue only', () => {
  const ends: Pixel[] = [
    [50, 60],
    [50, 40],
    [30, 50],
    [70, 50],
  ];
  const below = ends.map(([column, row]): Pixel => [column, row + 200]);

  expect(read('ELLIPSE', ends, tissue)).toEqual(['AREA 1.571 cm²', '']);
  expect(
    read(
      'RECTANGLE',
      [
        [10, 10],
        [50, 10],
        [10, 30],
        [50, 30],
      ],
      tissue,
    ),
  ).toEqual(['AREA 2.000 cm²', '']);
  expect(
    read(
      'FREEHAND',
      [
        [10, 10],
        [50, 10],
        [50, 30],
        [10, 30],
      ],
      tissue,
    ),
  ).toEqual(['AREA 2.000 cm²', '']);
  expect(read('ELLIPSE', below, doppler)).toEqual(['AREA 628.319 px²', 'length cannot be measured here']);
});

test('a measurement with two axes has the length of each axis', () => {
  expect(
    read(
      'BIDIRECTIONAL',
      [
        [10, 10],
        [70, 10],
        [30, 5],
        [30, 25],
      ],
      tissue,
    ),
  ).toEqual(['LENGTH 3.000 cm', 'SHORT_AXIS 1.000 cm', '']);
});

test('the longer of two axes is the length, even if it was drawn second', () => {
  const crossing: Pixel[] = [
    [30, 5],
    [30, 25],
    [10, 10],
    [70, 10],
  ];

  expect(read('BIDIRECTIONAL', crossing, tissue)).toEqual(['LENGTH 3.000 cm', 'SHORT_AXIS 1.000 cm', '']);
});

test('an angle on ultrasound tissue is measured, an angle over time is not', () => {
  const flat: UltrasoundRegion = { ...tissue, y: axis('cm', 0.1) };
  const corner: Pixel[] = [
    [50, 10],
    [10, 10],
    [50, 50],
  ];

  expect(read('ANGLE', corner, tissue)).toEqual(['ANGLE 45.000 °', '']);
  expect(read('ANGLE', corner, flat)).toEqual(['ANGLE 63.435 °', '']);
  expect(
    read(
      'COBB_ANGLE',
      [
        [10, 10],
        [50, 10],
        [50, 10],
        [10, 50],
      ],
      tissue,
    ),
  ).toEqual(['ANGLE 45.000 °', '']);
  expect(
    read(
      'ANGLE',
      [
        [50, 230],
        [10, 230],
        [50, 270],
      ],
      doppler,
    ),
  ).toEqual(['']);
});

test('a line in an ultrasound region of other units is not measured in centimeters', () => {
  const unknown: UltrasoundRegion = { ...tissue, x: axis(undefined, 0.05), y: axis(undefined, 0.05) };

  expect(
    read(
      'LENGTH',
      [
        [10, 10],
        [40, 50],
      ],
      unknown,
    ),
  ).toEqual(['LENGTH 50.000 px', 'length cannot be measured here']);
});
