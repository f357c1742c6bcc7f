import { expect, test } from 'vitest';
import type { SeriesImage } from '#reading/viewer/images/series/series-loader.ts';
import { firstPetWindow, petScaleOf, petValueText, petWindowText } from './pet-scale.ts';

const element = (...values: unknown[]) => ({ vr: 'UN', Value: values });

const image = (header: SeriesImage['header']): SeriesImage => ({
  imageId: '1',
  header: { '00080060': element('PT'), '00280051': element('ATTN', 'DECY'), ...header },
  frame: 1,
  numberOfFrames: 1,
  instanceNumber: 1,
  plane: undefined,
});

test('PET values open with the window 0 to 5 and are shown as SUV with two decimals', () => {
  const scale = petScaleOf([image({ '00541001': element('GML') })]);

  expect(petWindowText(firstPetWindow(scale), scale)).toBe('SUV 0.0–5.0');
  expect(petValueText(7.9966, scale)).toBe('SUV 8.00');
});

test('PET values without SUV use unit and window of the file and are never called SUV', () => {
  const own = { '00281050': element(15_000), '00281051': element(30_000) };
  const scale = petScaleOf([image({ '00541001': element('BQML'), ...own })]);

  expect(scale.refused.join(' ')).toContain('PatientWeight (0010,1030) is missing');
  expect(petWindowText(firstPetWindow(scale), scale)).toBe('0–30000 Bq/ml');
  expect(petValueText(12_345.6, scale)).toBe('12346 Bq/ml');
  expect(petValueText(3, petScaleOf([image({ '00541001': element('CNTS') })]))).toBe('3 counts');
  expect(scale.presets.some(({ label }) => label.includes('SUV'))).toBe(false);
});

test('the window fits the values of a PET file without SUV and window', () => {
  const slice = (slope: number) =>
    image({
      '00541001': element('BQML'),
      '00280101': element(16),
      '00280103': element(1),
      '00281053': element(slope),
      '00281052': element(0),
    });
  const images = [slice(0.25), slice(2)];
  const [before, after] = [petScaleOf(images), petScaleOf(images, 40_000)];

  expect(petWindowText(firstPetWindow(before), before)).toBe('0–65534 Bq/ml');
  expect(petWindowText(firstPetWindow(after), after)).toBe('0–40000 Bq/ml');
});

test('scintigraphy values never become SUV', () => {
  expect(petScaleOf([image({ '00080060': element('NM') })])).toMatchObject({ isUptake: false, unit: '' });
});

test('uptake by lean body mass is shown with decimals and not as SUV', () => {
  const scale = { isUptake: false, unit: 'g/ml', refused: [], presets: [] };

  expect(petValueText(2.6, scale)).toBe('2.60 g/ml');
  expect(petWindowText({ lower: 0, upper: 4.5 }, scale)).toBe('0.00–4.50 g/ml');
  expect(petValueText(5432.1, { ...scale, unit: 'Bq/ml' })).toBe('5432 Bq/ml');
});
