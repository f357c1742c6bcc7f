import { expect, test } from 'vitest';
import { densityUnit, learnDensity, unitOnImage } from './density-unit.ts';
import { tag } from './dicom-json.ts';

const saying = (rescaleType: string) => ({ [tag.RescaleType]: { vr: 'LO', Value: [rescaleType] } });

test('a CT is in Hounsfield units unless it says that its numbers are something else', () => {
  expect(densityUnit({})).toBe('HU');
  expect(densityUnit(saying('HU'))).toBe('HU');
  expect(densityUnit(saying('MGML'))).toBe('mg/ml');
  expect(densityUnit(saying('US'))).toBe('');
});

test('a map of iodine is never measured in Hounsfield units, whichever of its frames', () => {
  learnDensity('wadors:/a/instances/7/frames/1', saying('MGML'));
  learnDensity('wadors:/a/instances/8/frames/1', {});

  expect(unitOnImage('HU', 'wadors:/a/instances/7/frames/2')).toBe('mg/ml');
  expect(unitOnImage('mm', 'wadors:/a/instances/7/frames/2')).toBe('mm');
  expect(unitOnImage('HU', 'wadors:/a/instances/8/frames/1')).toBe('HU');
});
