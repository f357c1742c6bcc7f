import type { Types } from '@cornerstonejs/core';
import { expect, test } from 'vitest';
import { type DicomJson, tag } from '#reading/viewer/images/header/dicom-json.ts';
import { learnPadding } from '#reading/viewer/images/values/padding.ts';
import { countsPadding, leavePaddingOut } from './padded-slab.ts';
import { slabKinds } from './slab.ts';
import { paddingInTexture } from './slab-padding.ts';

const of = (value: number) => ({ vr: 'US', Value: [value] });

const image = (padding: number | undefined, { isSigned = true, slope = 1 } = {}) => ({
  [tag.BitsStored]: of(16),
  [tag.PixelRepresentation]: of(isSigned ? 1 : 0),
  [tag.RescaleSlope]: of(slope),
  ...(padding !== undefined && { [tag.PixelPaddingValue]: of(padding) }),
});

/** An image without padding. In a volume with it, a slab cannot leave out the padding of the other images. */
const unlike = image(undefined, { slope: 3 });

test.each([
  ['low padding', image(-2000), ['minimum', 'average']],
  ['low padding of unsigned values', image(0, { isSigned: false }), ['minimum', 'average']],
  ['padding of 0 below signed values', image(0), ['minimum', 'average']],
  ['high padding', image(65_535, { isSigned: false }), ['maximum', 'average']],
  ['low padding and a falling scale', image(-2000, { slope: -1 }), ['maximum', 'average']],
  ['no padding', image(undefined), []],
])('in a volume that also has an image without padding, %s shows only in some slabs', (_, header, kinds) => {
  const images = [{ header }, { header: unlike }];
  expect(slabKinds.filter((kind) => countsPadding(images, { kind, thickness: 10 }))).toEqual(kinds);
  expect(slabKinds.filter((kind) => countsPadding(images, { kind, thickness: 0 }))).toEqual([]);
});

type Properties = Record<string, unknown>;

/** Image data of vtk.js, with its properties only. */
const imageData = () => {
  const properties: Properties = {};
  return {
    set: (added: object) => Boolean(Object.assign(properties, added)),
    get: () => properties,
  };
};

const learned = (header: DicomJson) => {
  count += 1;
  const imageId = `wadors:/studies/1/series/1/instances/1.${count}/frames/1`;
  learnPadding(imageId, header);
  return imageId;
};

let count = 0;

/** Range of texture units that a projection leaves out, of a volume of images that are alike. */
const leftOut = (header: DicomJson, slabType: number, { slope = 1, intercept = 0 } = {}) => {
  const data = imageData();
  const preScale = { scaled: true, scalingParameters: { rescaleSlope: slope, rescaleIntercept: intercept } };
  const loaded = { imageId: learned(header), preScale } as unknown as Types.IImage;
  leavePaddingOut(data, [{ header }, { header }], loaded);
  const texture = { getVolumeInfo: () => ({ scale: [32_767], offset: [0] }) };
  return paddingInTexture(data, slabType, [texture]);
};

test('a slab leaves out all values that are padding in each image, and no other value', () => {
  const [lowest, highest] = leftOut(image(-2000), 2, { slope: 2, intercept: -100 });

  expect(lowest * 32_767).toBeCloseTo(-4101, 1);
  expect(highest * 32_767).toBeCloseTo(-4099, 1);
  expect(countsPadding([{ header: image(-2000) }, { header: image(-2000) }], { kind: 'average', thickness: 9 })).toBe(
    false,
  );
});

test('a projection that padding cannot change leaves nothing out', () => {
  const [lowest, highest] = leftOut(image(-2000), 1);

  expect(lowest).toBeGreaterThan(highest);
});
