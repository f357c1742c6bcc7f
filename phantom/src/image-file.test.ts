import { readHeader } from '@radwork/dicom/header';
import { expect, test } from 'vitest';
import { openImage, planeOf } from './image-file.ts';
import { simpleInstance } from './instance.ts';

test('an image with rescaled pixel values can be opened', () => {
  const { valueAt } = openImage(simpleInstance({ RescaleSlope: 2, RescaleIntercept: 10 }));

  expect(valueAt(1, 3)).toBe((16 + 3) * 2 + 10);
  expect(valueAt(1.4, 2.6)).toBe((16 + 3) * 2 + 10);
});

test('reading a pixel in a row or column outside the image throws an error', () => {
  const { valueAt } = openImage(simpleInstance());

  expect(() => valueAt(16, 0)).toThrow(RangeError);
  expect(() => valueAt(0, -1)).toThrow(RangeError);
});

test('an image with signed or compressed pixels cannot be opened', () => {
  const compressed = { transferSyntaxUID: '1.2.840.10008.1.2.4.50', pixelData: [Buffer.from([0xff, 0xd8])] };

  expect(() => openImage(simpleInstance({ PixelRepresentation: 1 }))).toThrow(TypeError);
  expect(() => openImage(simpleInstance({}, compressed))).toThrow(TypeError);
});

test('computing the plane of an image without a position throws an error', () => {
  const { dataset } = readHeader(simpleInstance({ ImagePositionPatient: undefined }));

  expect(() => planeOf(dataset)).toThrow('ImagePositionPatient does not hold 3 numbers');
});
