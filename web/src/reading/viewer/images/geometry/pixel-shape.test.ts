import { expect, test } from 'vitest';
import { type DicomJson, tag } from '#reading/viewer/images/header/dicom-json.ts';
import { asDrawn, asSaved, learnShape, oddShapeOf, shapeOfImage } from './pixel-shape.ts';

const numbers = (...Value: number[]) => ({ vr: 'DS', Value });
const wide: DicomJson = { [tag.PixelAspectRatio]: { vr: 'IS', Value: [1, 2] } };

test('non-square pixels have a shape only without a pixel size', () => {
  expect(oddShapeOf(wide)).toEqual({ tall: 1, wide: 2 });
  expect(oddShapeOf({ ...wide, [tag.PixelSpacing]: numbers(0.5, 1) })).toBeUndefined();
  const radiograph = { [tag.SOPClassUID]: { vr: 'UI', Value: ['1.2.840.10008.5.1.4.1.1.1.1'] } };
  expect(oddShapeOf({ ...wide, ...radiograph, [tag.ImagerPixelSpacing]: numbers(0.5, 1) })).toBeUndefined();
  expect(oddShapeOf({ ...wide, [tag.ImagerPixelSpacing]: numbers(0.5, 1) })).toEqual({ tall: 1, wide: 2 });
  expect(oddShapeOf({ ...wide, [tag.PixelSpacing]: numbers(0, 0) })).toEqual({ tall: 1, wide: 2 });
});

test.each([
  ['nothing said', {}],
  ['squares', { [tag.PixelAspectRatio]: numbers(3, 3) }],
  ['no proportion', { [tag.PixelAspectRatio]: numbers(0, 1) }],
])('%s is drawn with square pixels', (_, header) => {
  expect(oddShapeOf(header)).toBeUndefined();
});

const region = (tall: number, wide: number): DicomJson => ({
  [tag.RegionSpatialFormat]: numbers(1),
  [tag.RegionLocationMinX0]: numbers(0),
  [tag.RegionLocationMinY0]: numbers(0),
  [tag.RegionLocationMaxX1]: numbers(255),
  [tag.RegionLocationMaxY1]: numbers(127),
  [tag.PhysicalUnitsXDirection]: numbers(3),
  [tag.PhysicalUnitsYDirection]: numbers(3),
  [tag.PhysicalDeltaX]: numbers(wide),
  [tag.PhysicalDeltaY]: numbers(tall),
});
const scanned = (...Value: DicomJson[]): DicomJson => ({ [tag.SequenceOfUltrasoundRegions]: { vr: 'SQ', Value } });

test('ultrasound without a pixel size has the pixel shape of its tissue', () => {
  expect(oddShapeOf(scanned(region(0.04, 0.02)))).toEqual({ tall: 2, wide: 1 });
  expect(oddShapeOf(scanned(region(0.03, 0.03)))).toBeUndefined();
  expect(oddShapeOf(scanned(region(0.04, 0.02), region(0.03, 0.03)))).toBeUndefined();
  expect(oddShapeOf({ ...scanned(region(0.04, 0.02)), [tag.PixelSpacing]: numbers(0.4, 0.2) })).toBeUndefined();
  expect(oddShapeOf({ ...scanned(region(0.04, 0.02)), ...wide })).toEqual({ tall: 1, wide: 2 });
});

test('a drawing on non-square pixels is saved in pixels, and drawn again at its place', () => {
  const imageId = 'wadors:/studies/1/series/1/instances/1.7/frames/3';
  learnShape(imageId, wide);

  expect(shapeOfImage(imageId)).toMatchObject({ tall: 1, wide: 2 });
  expect(asSaved(imageId, [10, 4, 0])).toEqual([5, 4, 0]);
  expect(asDrawn(imageId, [5, 4, 0])).toEqual([10, 4, 0]);
  expect(asSaved('wadors:/studies/1/series/1/instances/1.8/frames/1', [10, 4, 0])).toEqual([10, 4, 0]);
});
