import { expect, test } from 'vitest';
import { burnedInWarning } from './burned-in.ts';

const header = (modality: string, burnedIn?: string, sopClass = '1.2.840.10008.5.1.4.1.1.2') => ({
  '00080016': { vr: 'UI', Value: [sopClass] },
  '00080060': { vr: 'CS', Value: [modality] },
  ...(burnedIn !== undefined && { '00280301': { vr: 'CS', Value: [burnedIn] } }),
});

test('an image that declares burned-in annotation gives a warning, whatever its modality', () => {
  expect(burnedInWarning(header('CT', 'YES'))).toMatch(/may show the patient’s name/);
});

test('an ultrasound image without the declaration gives a warning, one that declares NO does not', () => {
  expect(burnedInWarning(header('US'))).toMatch(/may contain burned-in text/);
  expect(burnedInWarning(header('US', ''))).toMatch(/may contain burned-in text/);
  expect(burnedInWarning(header('US', 'NO'))).toBe('');
});

test('a secondary capture gives a warning by its SOP class', () => {
  expect(burnedInWarning(header('CT', undefined, '1.2.840.10008.5.1.4.1.1.7'))).toMatch(/may contain burned-in text/);
  expect(burnedInWarning(header('MR', undefined, '1.2.840.10008.5.1.4.1.1.7.2'))).toMatch(/may contain burned-in text/);
  expect(burnedInWarning(header('MR', undefined, '1.2.840.10008.5.1.4.1.1.77.1.1'))).toBe('');
});

test('slices of a scanner give no warning', () => {
  expect(burnedInWarning(header('CT'))).toBe('');
});
