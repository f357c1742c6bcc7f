import type { Measurement, MeasuredValue } from '@radwork/contract/reading/measurements';
import { expect, test } from 'vitest';
import { calibrated, calibrationOf, factorFor, learnCalibrations, reasonAgainst } from './manual-calibration.ts';
import { measuredText, calibratedValues } from './measurement-text.ts';

const atDetector: MeasuredValue = { quantity: 'LENGTH', value: 120, unit: 'mm', scale: 'DETECTOR' };
const inPixels: MeasuredValue = { quantity: 'LENGTH', value: 400, unit: 'px' };
const inPatient: MeasuredValue = { quantity: 'LENGTH', value: 30, unit: 'mm' };

test('a line of known length calibrates an image, whatever its former unit', () => {
  expect(factorFor([atDetector], 100)).toBeCloseTo(100 / 120, 12);
  expect(factorFor([inPixels], 100)).toBe(0.25);
  expect(factorFor(calibrated([inPixels], 0.25), 50)).toBe(0.125);
  expect(factorFor([], 100)).toBeUndefined();
  expect(factorFor([inPixels], 0)).toBeUndefined();
});

test('a calibration scales and marks lengths and areas, and keeps angles and gray values', () => {
  const angle: MeasuredValue = { quantity: 'ANGLE', value: 90, unit: '°' };
  const mean: MeasuredValue = { quantity: 'MEAN', value: 40, unit: '' };
  const area: MeasuredValue = { quantity: 'AREA', value: 100, unit: 'px²' };

  expect(calibrated([inPixels, area, angle, mean], 0.5)).toEqual([
    { quantity: 'LENGTH', value: 200, unit: 'mm', scale: 'BY_HAND', factor: 0.5 },
    { quantity: 'AREA', value: 25, unit: 'mm²', scale: 'BY_HAND', factor: 0.5 },
    angle,
    mean,
  ]);
});

test('a manual calibration changes neither lengths in the patient nor values calibrated by the device', () => {
  const others: MeasuredValue[] = [
    inPatient,
    { ...inPatient, scale: 'MAGNIFICATION' },
    { ...inPatient, scale: 'CALIBRATED' },
    { quantity: 'LENGTH', value: 3, unit: 'cm' },
  ];

  expect(calibrated(others, 0.5)).toEqual(others);
});

test.each([
  ['a CT', 'CT', [inPixels], {}, false, /^CT images contain their size/],
  ['an MR', 'MR', [atDetector], {}, false, /^MR images contain their size/],
  ['an image with the pixel size in the patient', 'DX', [inPatient], {}, false, /^The image contains its size/],
  ['a calibrated ultrasound region', 'US', [inPixels], {}, true, /ultrasound device calibrated/],
  ['non-square pixels', 'XA', [inPixels], { '00280034': { vr: 'IS', Value: ['2', '1'] } }, false, /not square/],
] as const)('manual calibration of %s is refused with a reason', (_, modality, values, header, hasRegions, words) => {
  expect(reasonAgainst(values, { modality, header, hasRegions })).toMatch(words);
});

test('images measured at the detector, in pixels, or with a former manual calibration can be calibrated', () => {
  for (const values of [[atDetector], [inPixels], calibrated([atDetector], 0.8)]) {
    expect(reasonAgainst(values, { modality: 'DX', header: {}, hasRegions: false })).toBe('');
  }
});

const imageId = (instance: string, frame = 1) =>
  `wadors:/api/wado-rs/studies/1.2/series/1.3/instances/${instance}/frames/${frame}`;

const savedMeasurement = (values: MeasuredValue[], at: Partial<Measurement> = {}): Measurement => ({
  id: '0190aaaa-0000-7000-8000-000000000777',
  tool: 'LENGTH',
  seriesInstanceUID: '1.3',
  sopInstanceUID: '1.4',
  frame: 1,
  frameOfReferenceUID: null,
  points: [
    [0, 0, 0],
    [400, 0, 0],
  ],
  plane: null,
  label: '',
  values,
  revision: 1,
  author: { username: 'ana', name: 'Ana' },
  createdDate: '2026-11-23T01:00:00Z',
  updatedDate: '2026-11-23T01:00:00Z',
  isMine: true,
  ...at,
});

test('the latest saved calibration applies to all frames of its image and to no other image', () => {
  learnCalibrations('1.2', [
    savedMeasurement(calibrated([inPixels], 0.3), { updatedDate: '2026-11-23T02:00:00Z' }),
    savedMeasurement(calibrated([inPixels], 0.25)),
  ]);

  expect(calibrationOf(imageId('1.4'))).toEqual({ factor: 0.3, author: 'Ana' });
  expect(calibrationOf(imageId('1.4', 7))?.factor).toBe(0.3);
  expect(calibrationOf(imageId('1.5'))).toBeUndefined();
  const target = `imageId:${imageId('1.4')}`;
  const cachedStats = { [target]: { length: 100, unit: 'px' } };
  expect(measuredText({ cachedStats }, target)).toEqual(['30 mm calibrated by hand']);
  // Measurements by other users keep the values with which they were saved.
  expect(calibratedValues({ cachedStats, byHand: null }, target)).toEqual([
    { quantity: 'LENGTH', value: 100, unit: 'px' },
  ]);
  expect(measuredText({ cachedStats, byHand: 0.25 }, target)).toEqual(['25 mm calibrated by hand']);

  learnCalibrations('1.2', [savedMeasurement([inPixels])]);
  expect(calibrationOf(imageId('1.4'))).toBeUndefined();
});

test('the calibration of the user applies, and different calibrations of other users are ignored', () => {
  const image = imageId('1.4');
  const early = savedMeasurement(calibrated([inPixels], 0.25), { isMine: false });
  const late = savedMeasurement(calibrated([inPixels], 0.3), { isMine: false, updatedDate: '2026-11-23T02:00:00Z' });

  learnCalibrations('1.2', [early, late]);
  expect(calibrationOf(image)).toBeUndefined();

  // The user's own calibration applies, although another user's calibration is newer.
  learnCalibrations('1.2', [{ ...early, isMine: true }, late]);
  expect(calibrationOf(image)?.factor).toBe(0.25);

  learnCalibrations('1.2', [early, { ...late, values: early.values }]);
  expect(calibrationOf(image)?.factor).toBe(0.25);
});
