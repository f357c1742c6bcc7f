import { expect, test } from 'vitest';
import { type DicomJson, tag } from '#reading/viewer/images/header/dicom-json.ts';
import { oddShapeOf } from './pixel-shape.ts';

const numbers = (...Value: number[]) => ({ vr: 'DS', Value });
const wide: DicomJson = { [tag.PixelAspectRatio]: { vr: 'IS', Value: [1, 2] } };

test('non-square pixels cause a warning only without a pixel size', () => {
  expect(oddShapeOf(wide)).toEqual({ tall: 1, wide: 2 });
  expect(oddShapeOf({ ...wide, [tag.PixelSpacing]: numbers(0.5, 1) })).toBeUndefined();
  expect(oddShapeOf({ ...wide, [tag.ImagerPixelSpacing]: numbers(0.5, 1) })).toBeUndefined();
  expect(oddShapeOf({ ...wide, [tag.PixelSpacing]: numbers(0, 0) })).toEqual({ tall: 1, wide: 2 });
});

test.each([
  ['nothing said', {}],
  ['squares', { [tag.PixelAspectRatio]: numbers(3, 3) }],
  ['no proportion', { [tag.PixelAspectRatio]: numbers(0, 1) }],
])('%s causes no warning about the proportions', (_, header) => {
  expect(oddShapeOf(header)).toBeUndefined();
});
