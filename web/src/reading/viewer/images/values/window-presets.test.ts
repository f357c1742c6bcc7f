import { expect, test } from 'vitest';
import { type Tag, tag } from '#reading/viewer/images/header/dicom-json.ts';
import { hounsfieldWindow, type Picture, presetsFor } from './window-presets.ts';

const picture = (about: Partial<Picture>): Picture => ({
  modality: 'CT',
  header: {},
  isUptake: false,
  isColor: false,
  numbers: { lower: 0, upper: 1000 },
  ...about,
});

test('the window presets of a CT begin with the windows of its file, named as in the file', () => {
  const header = {
    [tag.WindowCenter]: { vr: 'DS', Value: [40, -600] },
    [tag.WindowWidth]: { vr: 'DS', Value: [400, 1500] },
    [tag.WindowCenterWidthExplanation]: { vr: 'LO', Value: ['SOFT TISSUE', 'LUNG'] },
  };

  const labels = presetsFor(picture({ header })).map(({ label }) => label);

  expect(labels.slice(0, 4)).toEqual(['Soft tissue', 'Lung', 'Bone', 'Brain']);
  expect(new Set(labels).size).toBe(labels.length);
});

test('a window without a name is named "As acquired"', () => {
  const header = { [tag.WindowCenter]: { vr: 'DS', Value: [600] }, [tag.WindowWidth]: { vr: 'DS', Value: [1200] } };

  const [first] = presetsFor(picture({ modality: 'MR', header }));

  expect(first).toEqual({ label: 'As acquired', range: { lower: 0, upper: 1199 } });
});

test('a window is offered exactly as the file defines it, and not without width', () => {
  const header = {
    [tag.WindowCenter]: { vr: 'DS', Value: [0.5, 0] },
    [tag.WindowWidth]: { vr: 'DS', Value: [1, 0] },
    [tag.VOILUTFunction]: { vr: 'CS', Value: ['LINEAR_EXACT'] },
  };

  const [first, second] = presetsFor(picture({ modality: 'MR', header }));

  expect(first).toEqual({ label: 'As acquired', range: { lower: 0, upper: 1 } });
  expect(second?.label).toBe('Full range');
});

test('the names of windows are unique', () => {
  const header = {
    [tag.WindowCenter]: { vr: 'DS', Value: [40, -600, 500, 80] },
    [tag.WindowWidth]: { vr: 'DS', Value: [400, 1500, 2000, 40] },
    [tag.WindowCenterWidthExplanation]: { vr: 'LO', Value: ['WINDOW', 'Window', 'WINDOW 2', 'WINDOW'] },
  };

  const own = presetsFor(picture({ header })).slice(0, 4);

  expect(own.map(({ label }) => label)).toEqual(['Window', 'Window 2', 'Window 2 2', 'Window 3']);
  expect(own.map(({ range }) => range.lower)).toEqual([-160, -1350, -500, 60]);
});

test('a modality without fixed values gets windows as fractions of the value range', () => {
  const [full, bright] = presetsFor(picture({ modality: 'MR', numbers: { lower: 100, upper: 1100 } }));

  expect(full).toEqual({ label: 'Full range', range: { lower: 100, upper: 1100 } });
  expect(bright).toEqual({ label: 'Bright', range: { lower: 100, upper: 800 } });
});

test('PET uptake gets only windows that begin at zero', () => {
  const [first] = presetsFor(picture({ modality: 'PT', isUptake: true }));
  const counts = presetsFor(picture({ modality: 'PT' }));

  expect(first).toEqual({ label: 'SUV 0–2.5', range: { lower: 0, upper: 2.5 } });
  expect(counts.some(({ label }) => label.startsWith('SUV'))).toBe(false);
});

const saying = (attribute: Tag, value: string | number) => ({ [attribute]: { vr: 'UN', Value: [value] } });

test.each([
  ['an iodine map', saying(tag.RescaleType, 'MGML'), 'Full range', undefined],
  ['a screen capture', saying(tag.SOPClassUID, '1.2.840.10008.5.1.4.1.1.7'), 'Full range', undefined],
  ['a CT', saying(tag.RescaleType, 'HU'), 'Soft tissue', -1350],
  ['a CT of unspecified unit', saying(tag.RescaleType, 'US'), 'Soft tissue', -1350],
])('%s gets the window presets that fit its values', (_, header, first, lung) => {
  expect(presetsFor(picture({ header }))[0]?.label).toBe(first);
  expect(hounsfieldWindow('Lung', header)?.lower).toBe(lung);
});

test('a color image of a CT gets no Hounsfield window', () => {
  expect(hounsfieldWindow('Lung', saying(tag.SamplesPerPixel, 3))).toBeUndefined();
  expect(hounsfieldWindow('Lung', saying(tag.PhotometricInterpretation, 'PALETTE COLOR'))).toBeUndefined();
});

test('color images get no window presets', () => {
  expect(presetsFor(picture({ modality: 'US', isColor: true }))).toEqual([]);
});

test('every window preset has a digit key', () => {
  expect(presetsFor(picture({})).length).toBeLessThanOrEqual(9);
});
