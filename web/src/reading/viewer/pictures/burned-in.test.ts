import { expect, test } from 'vitest';
import { burnedInWarning } from './burned-in.ts';

const header = (modality: string, burnedIn?: string, sopClass = '1.2.840.10008.5.1.4.1.1.2') => ({
  '00080016': { vr: 'UI', Value: [sopClass] },
  '00080060': { vr: 'CS', Value: [modality] },
  ...(burnedIn !== undefined && { '00280301': { vr: 'CS', Value: [burnedIn] } }),
});

test('an image that declares burned-in annotation shows a warning, whatever its modality', () => {
  expect(burnedInWarning(header('CT', 'YES'))).toMatch(/may show the patient’s name/);
});

test('an ultrasound image shows a warning unless it declares that it has no burned-in annotation', () => {
  expect(burnedInWarning(header('US'))).toMatch(/may contain burned-in text/);
  expect(burnedInWarning(header('US', ''))).toMatch(/may contain burned-in text/);
  expect(burnedInWarning(header('US', 'NO'))).toBe('');
});

test('a secondary capture shows a warning about burned-in annotation because of its SOP class', () => {
  expect(burnedInWarning(header('CT', undefined, '1.2.840.10008.5.1.4.1.1.7'))).toMatch(/may contain burned-in text/);
  expect(burnedInWarning(header('MR', undefined, '1.2.840.10008.5.1.4.1.1.7.2'))).toMatch(/may contain burned-in text/);
  expect(burnedInWarning(header('MR', undefined, '1.2.840.10008.5.1.4.1.1.77.1.1'))).toBe('');
});

test('CT and MR slices show no warning about burned-in annotation', () => {
  expect(burnedInWarning(header('CT'))).toBe('');
});
