import { expect, test } from 'vitest';
import { tag } from '#reading/viewer/images/header/dicom-json.ts';
import { showsPadding } from './padded-slab.ts';
import { slabKinds } from './slab.ts';

const of = (value: number) => ({ vr: 'US', Value: [value] });

const image = (padding: number | undefined, { isSigned = true, slope = 1 } = {}) => ({
  [tag.BitsStored]: of(16),
  [tag.PixelRepresentation]: of(isSigned ? 1 : 0),
  [tag.RescaleSlope]: of(slope),
  ...(padding !== undefined && { [tag.PixelPaddingValue]: of(padding) }),
});

test.each([
  ['low padding', image(-2000), ['minimum', 'average']],
  ['low padding of unsigned values', image(0, { isSigned: false }), ['minimum', 'average']],
  ['padding of 0 below signed values', image(0), ['minimum', 'average']],
  ['high padding', image(65_535, { isSigned: false }), ['maximum', 'average']],
  ['low padding and a falling scale', image(-2000, { slope: -1 }), ['maximum', 'average']],
  ['no padding', image(undefined), []],
])('an image with %s shows it only in some slabs', (_, header, kinds) => {
  expect(slabKinds.filter((kind) => showsPadding(header, { kind, thickness: 10 }))).toEqual(kinds);
  expect(slabKinds.filter((kind) => showsPadding(header, { kind, thickness: 0 }))).toEqual([]);
});
