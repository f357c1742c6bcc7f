import { expect, test } from 'vitest';
import { burnedInWarning } from './burned-in.ts';

const header = (modality: string, burnedIn?: string, sopClass = '1.2.840.10008.5.1.4.1.1.2') => ({
  '00080016': { vr: 'UI', Value: [sopClass] },
  '00080060': { vr: 'CS', Value: [modality] },
  ...(burnedIn !== undefined && { '00280301': { vr: 'CS', Value: [burnedIn] } }),
});

test('an image that says that something is written in it is warned of, whatever machine it is from', () => {
  expect(burnedInWarning(header('CT', 'YES'))).toMatch(/may show the patient’s name/);
});

test('an ultrasound image that says nothing of it is warned of, one that says no is not', () => {
  expect(burnedInWarning(header('US'))).toMatch(/itself may show the patient’s name/);
  expect(burnedInWarning(header('US', ''))).toMatch(/itself may show/);
  expect(burnedInWarning(header('US', 'NO'))).toBe('');
});

test('so is what was captured from a screen, by its kind of object', () => {
  expect(burnedInWarning(header('CT', undefined, '1.2.840.10008.5.1.4.1.1.7'))).toMatch(/itself may show/);
  expect(burnedInWarning(header('MR', undefined, '1.2.840.10008.5.1.4.1.1.7.2'))).toMatch(/itself may show/);
  expect(burnedInWarning(header('MR', undefined, '1.2.840.10008.5.1.4.1.1.77.1.1'))).toBe('');
});

test('slices of a scanner are not', () => {
  expect(burnedInWarning(header('CT'))).toBe('');
});
