import { expect, test } from 'vitest';
import { fusionRefusal, mainModality, modalities, modalitiesMatching, viewerOf } from './modalities.ts';

test('thirty-two codes are offered, each once', () => {
  expect(new Set(modalities).size).toBe(32);
});

test('XR as a filter finds any plain film', () => {
  expect(modalitiesMatching('XR')).toEqual(['XR', 'CR', 'DX']);
  expect(modalitiesMatching('CT')).toEqual(['CT']);
});

test('a study is named after its first series that is an acquisition', () => {
  expect(mainModality(['SR', 'CT', 'PT'])).toBe('CT');
  expect(mainModality(['PR', 'KO', 'SEG', 'DOC', 'MR'])).toBe('MR');
  expect(mainModality(['SR'])).toBe('SR');
  expect(mainModality([])).toBe('OT');
});

test('the ultrasound viewer opens only what is ultrasound and nothing else', () => {
  expect(viewerOf(['US', 'SR'])).toBe('usviewer');
  expect(viewerOf(['US', 'CT'])).toBe('viewer');
  expect(viewerOf([])).toBe('viewer');
});

test('fusion needs a functional and an anatomical series', () => {
  expect(fusionRefusal(['CT', 'PT'])).toBeUndefined();
  expect(fusionRefusal(['NM', 'MR'])).toBeUndefined();
  expect(fusionRefusal(['CT'])).toBe('Fusion needs a PT or NM series and a CT or MR series');
});
