import { expect, test } from 'vitest';
import { entryOf, tagOf } from './dictionary.ts';

test('finds an element by its tag and by its keyword', () => {
  expect(entryOf('00100010')).toEqual({ tag: '00100010', keyword: 'PatientName', vr: 'PN' });
  expect(tagOf('PatientName')).toBe('00100010');
});

test('finds elements of repeating groups in every group', () => {
  expect(entryOf('60003000')?.keyword).toBe('OverlayData');
  expect(entryOf('60FE3000')?.keyword).toBe('OverlayData');
});

test('does not know a private tag, and throws for an unknown keyword', () => {
  expect(entryOf('00091001')).toBeUndefined();
  expect(() => tagOf('NamePatient')).toThrow('NamePatient');
});
