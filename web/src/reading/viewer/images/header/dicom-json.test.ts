import { expect, test } from 'vitest';
import { itemsOf, numberOf, numbersOf, tag, textOf, textsOf } from './dicom-json.ts';

test('numbers in a header are read from numbers and from decimal strings', () => {
  const header = { [tag.WindowCenter]: { vr: 'DS', Value: [40, ' -600.5 '] } };

  expect(numbersOf(header, tag.WindowCenter)).toEqual([40, -600.5]);
});

test('header values that are no numbers are left out', () => {
  const header = { [tag.WindowWidth]: { vr: 'DS', Value: [null, '', 'wide', 400] } };

  expect(numbersOf(header, tag.WindowWidth)).toEqual([400]);
});

test('a missing or empty attribute has no value', () => {
  const header = { [tag.Modality]: { vr: 'CS' } };

  expect(textOf(header, tag.Modality)).toBe('');
  expect(textsOf(header, tag.PatientOrientation)).toEqual([]);
  expect(numberOf(header, tag.Rows)).toBeUndefined();
  expect(itemsOf(header, tag.PlanePositionSequence)).toEqual([]);
});
