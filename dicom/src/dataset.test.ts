import { expect, test } from 'vitest';
import { itemsOf, numberOf, textOf, valuesOf, type DicomJson } from './dataset.ts';

const json: DicomJson = {
  '00080060': { vr: 'CS', Value: ['CT'] },
  '00080050': { vr: 'SH' },
  '00080008': { vr: 'CS', Value: [null, 'PRIMARY'] },
  '00100010': { vr: 'PN', Value: [{ Ideographic: '山田^太郎', Phonetic: 'やまだ^たろう' }] },
  '00280030': { vr: 'DS', Value: [0.5, 0.25] },
  '00200013': { vr: 'IS', Value: ['7 '] },
  '00180050': { vr: 'DS', Value: ['thick'] },
  '00081140': { vr: 'SQ', Value: [{}, { '00081155': { vr: 'UI', Value: ['1.2'] } }] },
};

test('the text of an element is its first value, for any VR', () => {
  expect(textOf(json, 'Modality')).toBe('CT');
  expect(textOf(json, 'PixelSpacing')).toBe('0.5');
});

test('the text of a name is its first representation that is present', () => {
  expect(textOf(json, 'PatientName')).toBe('山田^太郎');
  expect(textOf({ '00100010': { vr: 'PN', Value: [{ Phonetic: 'やまだ' }] } }, 'PatientName')).toBe('やまだ');
});

test('an absent or empty element has no text and no number', () => {
  for (const keyword of ['AccessionNumber', 'PatientID', 'ImageType', 'ReferencedImageSequence']) {
    expect(textOf(json, keyword)).toBeUndefined();
    expect(numberOf(json, keyword)).toBeUndefined();
  }
});

test('the number of an element is read from numbers and from text', () => {
  expect(numberOf(json, 'PixelSpacing')).toBe(0.5);
  expect(numberOf(json, 'InstanceNumber')).toBe(7);
  expect(numberOf(json, 'SliceThickness')).toBeUndefined();
});

test('all values and all items of an element can be read', () => {
  expect(valuesOf(json, 'ImageType')).toEqual([null, 'PRIMARY']);
  expect(valuesOf(json, 'PatientID')).toEqual([]);
  expect(itemsOf(json, 'ReferencedImageSequence')).toHaveLength(2);
  expect(itemsOf(json, 'PatientName')).toEqual([]);
});
