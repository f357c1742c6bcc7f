import { getWebWorkerManager, type Types, utilities } from '@cornerstonejs/core';
import { registerDefaultProviders } from '@cornerstonejs/metadata';
import { readHeader } from '@radwork/dicom/header';
import { simpleInstance } from '@radwork/phantom/instance';
import { graysOf, type PictureCase, pictureCases, pixelDataOf } from '@radwork/phantom/picture-cases';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { built } from '#test/built-loader.ts';
import { withFrameAtTop } from '#reading/viewer/images/header/frame-attributes.ts';
import { withUsableRescale } from '#reading/viewer/images/header/usable-rescale.ts';
import { learnPadding } from '#reading/viewer/images/values/padding.ts';
import { describeImages } from './image-metadata.ts';
import { provideTables } from './load-lookup-tables.ts';

const explicitLittleEndian = '1.2.840.10008.1.2.1';

type Create = (imageId: string, bytes: Uint8Array, transferSyntax: string) => Promise<Types.IImage>;

let createImage: Create;

const manager = getWebWorkerManager();
const decodeInWorker = manager.executeTask.bind(manager);

beforeAll(async () => {
  registerDefaultProviders();
  provideTables();
  createImage = (await built('imageLoader/createImage.js')).default;
  const { decodeImageFrame } = await built('decodeImageFrameWorker.js');
  // Decodes here, because a test has no worker.
  const executeTask = async (_: string, __: string, task: Record<string, unknown>) =>
    decodeImageFrame(
      task['imageFrame'],
      task['transferSyntax'],
      task['pixelData'],
      task['decodeConfig'],
      task['options'],
    );
  Object.assign(manager, { executeTask });
});

afterAll(() => Object.assign(manager, { executeTask: decodeInWorker }));

/** Loads an image as the viewer does. */
const loaded = async (one: PictureCase): Promise<Types.IImage> => {
  const pixelData = pixelDataOf(one);
  const { dataset } = readHeader(simpleInstance(one.elements, { pixelData }));
  const header = withUsableRescale(withFrameAtTop(dataset));
  const imageId = `wadors:/studies/1/series/1/instances/1.2.${pictureCases.indexOf(one) + 1}/frames/1`;
  learnPadding(imageId, header);
  describeImages([{ imageId, header, frame: 1, numberOfFrames: 1, instanceNumber: 1, plane: undefined }]);
  return createImage(imageId, new Uint8Array(pixelData), explicitLittleEndian);
};

/** Returns the grays of an image in its first window, without a graphics card. */
const drawn = (image: Types.IImage): number[] => {
  const { lower, upper } = utilities.getVOIRangeFromWindowLevel(
    image.windowWidth,
    image.windowCenter,
    image.voiLUTFunction,
  ) ?? {
    lower: 0,
    upper: 0,
  };
  return Array.from(image.getPixelData(), (value) =>
    Math.round(255 * Math.min(Math.max((value - lower) / (upper - lower), 0), 1)),
  );
};

test.each(pictureCases)('$name: the picture of the viewer is right', async (one) => {
  const image = await loaded(one);

  const expected = graysOf(one);
  const difference = drawn(image).map((gray, index) => Math.abs(gray - (expected[index] ?? Number.NaN)));
  expect(Math.max(...difference)).toBeLessThanOrEqual(1);
  expect((image.columnPixelSpacing || 1) / (image.rowPixelSpacing || 1)).toBeCloseTo(one.shape.wide / one.shape.tall);
});
