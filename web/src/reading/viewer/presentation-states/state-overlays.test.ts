import type { DicomElement, DicomJson } from '@radwork/dicom/dataset';
import { expect, test } from 'vitest';
import type { Bitmap } from '#reading/viewer/file-layers/layer-bitmaps.ts';
import { tag } from '#reading/viewer/images/header/dicom-json.ts';
import { presentationStateOf } from './presentation-state.ts';
import { bitmapsOf } from './state-covers.tsx';
import { overlaysApartOf } from './state-overlays.ts';

const of = (vr: string, ...Value: (string | number)[]): DicomElement => ({ vr, Value });
const sequence = (...items: DicomJson[]): DicomElement => ({ vr: 'SQ', Value: items });

/** Plane of 4 x 4 pixels that marks some of them. */
const plane = (group: string, marked: readonly number[], layer = ''): DicomJson => {
  const bits = marked.reduce((sum, bit) => sum | (1 << bit), 0);
  return {
    [`${group}0010`]: of('US', 4),
    [`${group}0011`]: of('US', 4),
    ...(layer && { [`${group}1001`]: of('CS', layer) }),
    [`${group}3000`]: { vr: 'OW', InlineBinary: btoa(String.fromCharCode(bits & 255, bits >> 8)) },
  };
};

/** Red and blue of a screen in CIELab, as DICOM encodes them. */
const [red, blue] = [
  [35_580, 53_665, 50_856],
  [19_377, 50_449, 4105],
];

const layers = {
  '00700060': sequence({
    '00700002': of('CS', 'MARKS'),
    '00700062': of('IS', 1),
    '00700401': of('US', ...red),
  }),
};

const bitmapShutter = {
  '00181600': of('CS', 'BITMAP'),
  '00181622': of('US', 0x8000),
  '00181623': of('US', 0x60_02),
};

const image = { header: { [tag.Rows]: of('US', 4), [tag.Columns]: of('US', 4) }, frame: 1 };

/** Returns the color of each pixel that a bitmap covers, by its index. */
const covered = (bitmap: Bitmap | undefined) =>
  Object.fromEntries(
    Array.from({ length: 16 }, (_, index) => [index, [...(bitmap?.rgba.subarray(4 * index, 4 * index + 4) ?? [])]])
      .filter(([, rgba]) => (rgba as number[])[3] === 255)
      .map(([index, rgba]) => [index, (rgba as number[]).slice(0, 3)]),
  );

const isNear = (color: readonly number[] | undefined, expected: readonly number[]): boolean =>
  expected.every((part, at) => Math.abs(part - (color?.[at] ?? Number.NaN)) < 4);

test('the bitmap shutter of a state hides the pixels that its plane marks', () => {
  const state = presentationStateOf({ ...bitmapShutter, ...plane('6002', [0, 6, 15]) });

  const { shutter, planes } = bitmapsOf(state, image);

  expect(covered(shutter)).toEqual({ 0: [128, 128, 128], 6: [128, 128, 128], 15: [128, 128, 128] });
  expect(planes).toEqual([]);
  expect([state.hasBitmapShutter, state.notApplied]).toEqual([true, []]);
});

test('a shutter has the color that the state names in CIELab', () => {
  const state = presentationStateOf({ ...bitmapShutter, '00181624': of('US', ...blue), ...plane('6002', [3]) });

  const { shutter } = bitmapsOf(state, image);

  expect(isNear(state.shutterColor, [0, 0, 255])).toBe(true);
  expect(covered(shutter)).toEqual({ 3: [...state.shutterColor] });
});

test('a shutter whose plane is missing is named', () => {
  const state = presentationStateOf({ ...bitmapShutter, ...plane('6004', [1]) });

  expect([state.hasBitmapShutter, state.notApplied]).toEqual([false, ['shutter']]);
});

test('a shutter whose plane did not load is named', () => {
  const apart = { ...plane('6002', []), '60023000': { vr: 'OW', BulkDataURI: '/bulkdata/1' } };
  const header = { ...bitmapShutter, ...apart };

  expect(overlaysApartOf(header)).toEqual(['/bulkdata/1']);
  expect(presentationStateOf(header, new Map([['/bulkdata/1', 'not there']])).notApplied).toEqual(['shutter']);
  expect(presentationStateOf(header, new Map([['/bulkdata/1', new Uint8Array(2)]])).notApplied).toEqual([]);
});

test('an overlay plane of a state has the color of its layer, and is not shown without a layer', () => {
  const header = { ...layers, ...plane('6000', [2], 'MARKS'), ...plane('6002', [5], 'OTHER'), ...plane('6004', [9]) };
  const state = presentationStateOf(header);

  const [marks, other, ...more] = bitmapsOf(state, image).planes.map(covered);

  expect(isNear(marks?.[2], [255, 0, 0])).toBe(true);
  expect(Object.keys(other ?? {})).toEqual(['5']);
  expect([more, state.notApplied]).toEqual([[], []]);
});

test('annotations have the color of their own style, or that of their layer', () => {
  const graphic = {
    '00700005': of('CS', 'PIXEL'),
    '00700022': of('FL', 1, 1, 2, 2),
    '00700023': of('CS', 'POLYLINE'),
  };
  const styled = { ...graphic, '00700232': sequence({ '00700251': of('US', ...blue) }) };
  const words = { '00700006': of('ST', 'here'), '00700004': of('CS', 'PIXEL'), '00700014': of('FL', 3, 4) };
  const inLayer = (layer: string) => ({
    '00700002': of('CS', layer),
    '00700009': sequence(graphic, styled),
    '00700008': sequence(words),
  });

  const { annotations } = presentationStateOf({
    ...layers,
    '00700001': sequence(inLayer('MARKS'), inLayer('OTHER')),
  });

  const colors = annotations.map(({ part }) => part.color?.map((value) => (value > 250 ? 255 : value < 5 ? 0 : value)));
  expect(colors).toEqual([undefined, [0, 0, 255], undefined, [255, 0, 0], [0, 0, 255], [255, 0, 0]]);
});
