import { expect, test } from 'vitest';
import { densityUnit } from '#reading/viewer/images/values/density-unit.ts';
import { type DicomJson, itemsOf, numberOf, tag } from './dicom-json.ts';
import { withUsableRescale } from './usable-rescale.ts';

const rescaled = (slope: number): DicomJson => ({
  [tag.RescaleSlope]: { vr: 'DS', Value: [slope] },
  [tag.RescaleIntercept]: { vr: 'DS', Value: [-1024] },
  [tag.RescaleType]: { vr: 'LO', Value: ['HU'] },
});

test('a rescale slope of zero leaves the stored values, without Hounsfield units', () => {
  const header = withUsableRescale(rescaled(0));

  expect([numberOf(header, tag.RescaleSlope), numberOf(header, tag.RescaleIntercept)]).toEqual([1, 0]);
  expect(densityUnit(header)).toBe('');
});

test('a valid rescale stays as written', () => {
  const header = rescaled(0.5);

  expect(withUsableRescale(header)).toBe(header);
});

test('a rescale slope of zero is removed from the frames of an enhanced image that have it', () => {
  const frame = (slope: number): DicomJson => ({
    [tag.PixelValueTransformationSequence]: { vr: 'SQ', Value: [rescaled(slope)] },
  });
  const enhanced = { [tag.PerFrameFunctionalGroupsSequence]: { vr: 'SQ', Value: [frame(2), frame(0)] } };

  const frames = itemsOf(withUsableRescale(enhanced), tag.PerFrameFunctionalGroupsSequence);

  const slopes = frames.map((one) => itemsOf(one, tag.PixelValueTransformationSequence)[0]);
  expect(slopes.map((slope) => slope && numberOf(slope, tag.RescaleSlope))).toEqual([2, 1]);
});
