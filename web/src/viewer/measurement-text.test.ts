import { expect, test } from 'vitest';
import { lengthText, probeText } from './measurement-text.ts';

const length = (value: number, unit: string) =>
  lengthText({ cachedStats: { target: { length: value, unit } } }, 'target');

test('a length says where its millimetres hold', () => {
  expect(length(100.149, 'mm')).toEqual(['100.1 mm']);
  expect(length(100, 'mm Proj')).toEqual(['100 mm at the detector']);
  expect(length(100, 'mm ERMF')).toEqual(['100 mm magnification corrected']);
});

test('a length in a calibrated ultrasound region is in its unit, elsewhere in pixels', () => {
  expect(length(5.0199, 'cm US Region')).toEqual(['5.02 cm']);
  expect(length(100, 'px')).toEqual(['100 px']);
});

test('a length that is not known yet is not written', () => {
  expect(length(Number.NaN, 'mm')).toBeUndefined();
  expect(lengthText({ cachedStats: {} }, 'target')).toBeUndefined();
});

test('a probe in a calibrated region names both axes', () => {
  const cachedStats = { target: { index: [1, 2, 0], value: [1.26, 80], modalityUnit: ['seconds', 'cm/sec'] } };

  expect(probeText({ cachedStats }, 'target')).toEqual(['1.3 seconds', '80 cm/sec']);
});

test('a probe outside the picture says nothing', () => {
  expect(probeText({ cachedStats: { target: {} } }, 'target')).toBeUndefined();
});
