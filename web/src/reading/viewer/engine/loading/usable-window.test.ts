import { getWebWorkerManager, type Types, utilities } from '@cornerstonejs/core';
import { registerDefaultProviders } from '@cornerstonejs/metadata';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { built } from '#test/built-loader.ts';
import { type DicomJson, tag } from '#reading/viewer/images/header/dicom-json.ts';
import { learnPadding } from '#reading/viewer/images/values/padding.ts';
import { provideTables } from './load-lookup-tables.ts';
import { describeImages } from './image-metadata.ts';

const explicitLittleEndian = '1.2.840.10008.1.2.1';

type Create = (imageId: string, bytes: Uint8Array, transferSyntax: string) => Promise<Types.IImage>;

let createImage: Create;

const manager = getWebWorkerManager();
const decodeInWorker = manager.executeTask.bind(manager);

beforeAll(async () => {
  registerDefaultProviders();
  provideTables();
  createImage = (await built('imageLoader/createImage.js')).default;
  // Stands in for the decoding worker.
  const executeTask = async (_: string, __: string, task: { imageFrame: object; pixelData: Uint8Array }) => ({
    ...task.imageFrame,
    pixelData: task.pixelData,
    pixelDataLength: task.pixelData.length,
    smallestPixelValue: Math.min(...task.pixelData),
    largestPixelValue: Math.max(...task.pixelData),
  });
  Object.assign(manager, { executeTask });
});

afterAll(() => Object.assign(manager, { executeTask: decodeInWorker }));

let lastNumber = 0;

/** Returns the value range of an image of 2 x 2 pixels with this window, as the imaging library computes it. */
const rangeOf = async (window: DicomJson, pixels = Uint8Array.of(0, 1, 2, 3)) => {
  lastNumber += 1;
  const imageId = `wadors:/studies/1/series/1/instances/1.2.${lastNumber}/frames/1`;
  const numbers = { Rows: 2, Columns: 2, SamplesPerPixel: 1, BitsAllocated: 8, BitsStored: 8, PixelRepresentation: 0 };
  const header: Record<string, DicomJson[string]> = {
    [tag.PhotometricInterpretation]: { vr: 'CS', Value: ['MONOCHROME2'] },
    [tag.Modality]: { vr: 'CS', Value: ['MG'] },
  };
  for (const [name, value] of Object.entries(numbers)) {
    header[tag[name as keyof typeof numbers]] = { vr: 'US', Value: [value] };
  }
  Object.assign(header, window);
  learnPadding(imageId, header);
  describeImages([{ imageId, header, frame: 1, numberOfFrames: 1, instanceNumber: 1, plane: undefined }]);
  const image = await createImage(imageId, pixels, explicitLittleEndian);
  const range = utilities.getVOIRangeFromWindowLevel(image.windowWidth, image.windowCenter, image.voiLUTFunction);
  return {
    ...range,
    curve: image.voiLUTFunction,
    invert: image.invert,
    voiLUT: image.voiLUT,
    ends: [image.minPixelValue, image.maxPixelValue],
  };
};

const windowed = (center: number, width: number, curve?: string): DicomJson => ({
  [tag.WindowCenter]: { vr: 'DS', Value: [center] },
  [tag.WindowWidth]: { vr: 'DS', Value: [width] },
  ...(curve !== undefined && { [tag.VOILUTFunction]: { vr: 'CS', Value: [curve] } }),
});

test('the check of a decoded image rejects data from which no image can be made', async () => {
  const inSegments = {
    [tag.PhotometricInterpretation]: { vr: 'CS', Value: ['PALETTE COLOR'] },
    '00281101': { vr: 'US', Value: [256, 0, 16] },
    '00281221': { vr: 'OW', InlineBinary: 'AAACAACAf4EBAP4Ai5M=' },
  };

  await expect(rangeOf(inSegments)).rejects.toThrow('complete color palette');
});

test.each([
  ['LINEAR', -160, 239],
  ['SIGMOID', -160, 239],
  ['LINEAR_EXACT', -160, 240],
] as const)('a window with the function %s is applied', async (curve, lower, upper) => {
  expect(await rangeOf(windowed(40, 400, curve))).toMatchObject({ lower, upper, curve });
});

test('a window without a known function is linear', async () => {
  expect(await rangeOf(windowed(40, 400))).toMatchObject({ lower: -160, upper: 239, curve: 'LINEAR' });
  expect(await rangeOf(windowed(40, 400, 'STRAIGHT'))).toMatchObject({ lower: -160, upper: 239, curve: 'LINEAR' });
});

test('a window with fractional limits is applied exactly and not reversed', async () => {
  expect(await rangeOf(windowed(0.5, 0.5))).toMatchObject({ lower: 0.25, upper: 0.75 });
});

test('a window of zero width is ignored, and all values are shown', async () => {
  expect(await rangeOf(windowed(0, 0))).toMatchObject({ lower: 0, upper: 3 });
});

test('padding counts neither in the window of an image without one, nor in the range of its values', async () => {
  const padded = { [tag.PixelPaddingValue]: { vr: 'US', Value: [255] } };

  expect(await rangeOf(padded, Uint8Array.of(255, 10, 30, 20))).toMatchObject({ lower: 10, upper: 30, ends: [10, 30] });
  expect(await rangeOf(padded, Uint8Array.of(255, 255, 255, 255))).toMatchObject({ ends: [0, 0] });
});

test('the range of padding counts as a whole, in either order', async () => {
  const padded = {
    [tag.PixelPaddingValue]: { vr: 'US', Value: [9] },
    [tag.PixelPaddingRangeLimit]: { vr: 'US', Value: [0] },
  };

  expect(await rangeOf(padded, Uint8Array.of(0, 5, 12, 14))).toMatchObject({ lower: 12, upper: 14, ends: [12, 14] });
});

test('single-bit pixels are shown with 0 black and 1 white, even if all are equal', async () => {
  const single = { [tag.BitsAllocated]: { vr: 'US', Value: [1] }, [tag.BitsStored]: { vr: 'US', Value: [1] } };

  expect(await rangeOf(single)).toMatchObject({ lower: 0, upper: 1 });
});

test('for inverted grays the lowest value is white, and two reasons to invert count as one', async () => {
  const inverse = { [tag.PresentationLUTShape]: { vr: 'CS', Value: ['INVERSE'] } };
  const lowestWhite = { [tag.PhotometricInterpretation]: { vr: 'CS', Value: ['MONOCHROME1'] } };

  expect((await rangeOf({})).invert).toBe(false);
  expect((await rangeOf(inverse)).invert).toBe(true);
  expect((await rangeOf({ ...inverse, ...lowestWhite })).invert).toBe(true);
});

test('without a graphics card the library gets no VOI LUT, because it cannot use one', async () => {
  const item = {
    [tag.LUTDescriptor]: { vr: 'US', Value: [4, 0, 8] },
    [tag.LUTData]: { vr: 'US', Value: [0, 9, 9, 255] },
  };

  expect((await rangeOf({ [tag.VOILUTSequence]: { vr: 'SQ', Value: [item] } })).voiLUT).toBeUndefined();
});
