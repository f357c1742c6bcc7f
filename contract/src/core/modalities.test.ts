import { expect, test } from 'vitest';
import { fusionRefusal, mainModality, modalities, modalitiesMatching, viewerOf } from './modalities.ts';

test('the list of modalities has 32 codes without duplicates', () => {
  expect(new Set(modalities).size).toBe(32);
});

test('the filter XR finds all plain radiographs', () => {
  expect(modalitiesMatching('XR')).toEqual(['XR', 'CR', 'DX']);
  expect(modalitiesMatching('CT')).toEqual(['CT']);
});

test('a study has the modality of its first acquisition series', () => {
  expect(mainModality(['SR', 'CT', 'PT'])).toBe('CT');
  expect(mainModality(['PR', 'KO', 'SEG', 'DOC', 'MR'])).toBe('MR');
  expect(mainModality(['SR'])).toBe('SR');
  expect(mainModality([])).toBe('OT');
});

test('the ultrasound viewer opens only studies in which all images are ultrasound', () => {
  expect(viewerOf(['US', 'SR'])).toBe('usviewer');
  expect(viewerOf(['US', 'CT'])).toBe('viewer');
  expect(viewerOf([])).toBe('viewer');
});

test('fusion needs a functional and an anatomical series', () => {
  expect(fusionRefusal(['CT', 'PT'])).toBeUndefined();
  expect(fusionRefusal(['NM', 'MR'])).toBeUndefined();
  expect(fusionRefusal(['CT'])).toBe('Fusion needs a PT or NM series and a CT or MR series');
});
