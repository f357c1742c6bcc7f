import { expect, test } from 'vitest';
import { tag } from '#reading/viewer/images/header/dicom-json.ts';
import { learnDensity } from '#reading/viewer/images/values/density-unit.ts';
import { measuredText, probeText, valuesIn } from './measurement-text.ts';

const length = (value: number, unit: string) =>
  measuredText({ cachedStats: { target: { length: value, unit } } }, 'target');

test('the text of a length says where its millimeters apply', () => {
  expect(length(100.149, 'mm')).toEqual(['100.1 mm']);
  expect(length(100, 'mm Proj')).toEqual(['100 mm at the detector']);
  expect(length(100, 'mm ERMF')).toEqual(['100 mm magnification corrected']);
});

test('a length is shown in the unit of its ultrasound region, and in pixels outside regions', () => {
  expect(length(5.0199, 'cm US Region')).toEqual(['5.02 cm']);
  expect(length(100, 'px')).toEqual(['100 px']);
  expect(length(100, 'px Unknown')).toEqual(['100 px']);
});

test('a saved length says where its millimeters apply', () => {
  expect(valuesIn({ target: { length: 100, unit: 'mm Proj' } }, 'target')).toEqual([
    { quantity: 'LENGTH', value: 100, unit: 'mm', scale: 'DETECTOR' },
  ]);
});

test('the label of a measurement is above the values', () => {
  const cachedStats = { target: { length: 8, unit: 'mm' } };

  expect(measuredText({ label: 'Nodule S2', cachedStats }, 'target')).toEqual(['Nodule S2', '8 mm']);
});

test('a measurement shows no length before it is known', () => {
  expect(length(Number.NaN, 'mm')).toEqual([]);
  expect(measuredText({ cachedStats: {} }, 'target')).toEqual([]);
});

test('a probe outside the image shows no value', () => {
  expect(probeText({ cachedStats: { target: {} } }, 'target')).toBeUndefined();
});

test('a region shows its size, mean and range', () => {
  const cachedStats = {
    target: { area: 100, areaUnit: 'mm²', mean: 40, stdDev: 2, min: -5, max: 60, modalityUnit: 'HU' },
  };

  expect(measuredText({ cachedStats }, 'target')).toEqual(['100 mm²', '40 HU ± 2', '-5 HU to 60 HU']);
});

test('the text of a measurement omits a missing unit and values not computed yet', () => {
  expect(measuredText({ cachedStats: { target: { mean: 12, modalityUnit: 'raw' } } }, 'target')).toEqual(['12']);
  expect(measuredText({ cachedStats: { target: { area: null, angle: 'Incomplete Angle' } } }, 'target')).toEqual([]);
});

test('never shows values of an iodine map in Hounsfield units', () => {
  learnDensity('wadors:/a/instances/7/frames/1', { [tag.RescaleType]: { vr: 'LO', Value: ['MGML'] } });
  const target = 'imageId:wadors:/a/instances/7/frames/1';

  expect(valuesIn({ [target]: { mean: 3, modalityUnit: 'HU' } }, target)).toEqual([
    { quantity: 'MEAN', value: 3, unit: 'mg/ml' },
  ]);
  expect(probeText({ cachedStats: { [target]: { index: [0, 0, 0], value: 3, modalityUnit: 'HU' } } }, target)).toEqual([
    '3 mg/ml',
  ]);
});

test.each([
  ['BQML', 'Bq/ml'],
  ['GML', 'g/ml'],
  ['CNTS', 'counts'],
  ['SUV', 'SUV'],
])('PET values in %s are shown as %s in all measurements', (code, unit) => {
  const cachedStats = { target: { index: [0, 0, 0], value: 5230, mean: 5230, modalityUnit: code } };

  expect(valuesIn({ target: { mean: 5230, modalityUnit: code } }, 'target')).toEqual([
    { quantity: 'MEAN', value: 5230, unit },
  ]);
  expect(probeText({ cachedStats }, 'target')).toEqual([`5230 ${unit}`]);
});
