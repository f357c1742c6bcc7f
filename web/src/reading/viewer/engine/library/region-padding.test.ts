import { cache, getWebWorkerManager, imageLoader, type Types, utilities, volumeLoader } from '@cornerstonejs/core';
import { registerDefaultProviders } from '@cornerstonejs/metadata';
import { readHeader } from '@radwork/dicom/header';
import type { Elements } from '@radwork/dicom/part10';
import { simpleInstance } from '@radwork/phantom/instance';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { built } from '#test/built-loader.ts';
import { describeImages } from '#reading/viewer/engine/loading/image-metadata.ts';
import { provideTables } from '#reading/viewer/engine/loading/load-lookup-tables.ts';
import { voxelsOf } from '#reading/viewer/fusion/pet/volume-voxels.ts';
import { learnPadding } from '#reading/viewer/images/values/padding.ts';

type Create = (imageId: string, bytes: Uint8Array, transferSyntax: string) => Promise<Types.IImage>;

const manager = getWebWorkerManager();
const decodeInWorker = manager.executeTask.bind(manager);

let sampleRegion: (options: object) => unknown;

beforeAll(async () => {
  registerDefaultProviders();
  provideTables();
  const createImage: Create = (await built('imageLoader/createImage.js')).default;
  sampleRegion = (await built('utilities/sampleAreaAnnotationVoxels.js')).default;
  const { decodeImageFrame } = await built('decodeImageFrameWorker.js');
  const executeTask = async (_: string, __: string, task: Record<string, unknown>) =>
    decodeImageFrame(
      task['imageFrame'],
      task['transferSyntax'],
      task['pixelData'],
      task['decodeConfig'],
      task['options'],
    );
  Object.assign(manager, { executeTask });
  imageLoader.registerImageLoader('padded', (imageId) => ({
    promise: createImage(imageId, new Uint8Array(pixels.get(imageId) ?? new Uint8Array()), '1.2.840.10008.1.2.1'),
  }));
});

afterAll(() => Object.assign(manager, { executeTask: decodeInWorker }));

const pixels = new Map<string, Buffer>();
let count = 0;

/** Loads an image of 16 x 16 pixels: the upper half is 10 and 30, the lower half is `padding`. */
const load = async (elements: Elements, padding: number, height = 0): Promise<string> => {
  count += 1;
  const stored = Uint16Array.from({ length: 256 }, (_, index) => (index >= 128 ? padding : index % 2 === 0 ? 10 : 30));
  const pixelData = Buffer.from(stored.buffer);
  const plain = {
    BitsStored: 16,
    HighBit: 15,
    RescaleSlope: 2,
    RescaleIntercept: -100,
    ImagePositionPatient: [0, 0, height],
  };
  const { dataset } = readHeader(simpleInstance({ ...plain, ...elements }, { pixelData }));
  const imageId = `padded:/studies/1/series/1/instances/1.2.${count}/frames/1`;
  pixels.set(imageId, pixelData);
  learnPadding(imageId, dataset);
  describeImages([{ imageId, header: dataset, frame: 1, numberOfFrames: 1, instanceNumber: 1, plane: undefined }]);
  await imageLoader.loadAndCacheImage(imageId);
  return imageId;
};

const sides = [
  [-0.4, -0.4, 0],
  [15.4, -0.4, 0],
  [-0.4, 15.4, 0],
  [15.4, 15.4, 0],
] as const;

type Plane = Pick<
  Parameters<typeof utilities.voxelSlab.createRectangleShape>[0],
  'volume' | 'planePoint' | 'viewPlaneNormal'
>;

/** Returns the values in a rectangle over a whole slice, as the tools count them. */
const countedIn = (voxelManager: unknown, referencedImageId: string, slices = 1, slice = 0): number[] => {
  const corners = sides.map(([x, y]) => [x, y, slice]);
  const values: number[] = [];
  sampleRegion({
    annotation: { metadata: { viewPlaneNormal: [0, 0, 1], referencedImageId } },
    image: {
      dimensions: [16, 16, slices],
      spacing: [1, 1, 1],
      origin: [0, 0, 0],
      direction: [1, 0, 0, 0, 1, 0, 0, 0, 1],
      imageData: { worldToIndex: (point: unknown) => point },
    },
    voxelManager,
    points: corners,
    createShape: ({ volume, planePoint, viewPlaneNormal }: Plane) =>
      utilities.voxelSlab.createRectangleShape({
        volume,
        planePoint,
        viewPlaneNormal,
        centerWorld: [7.5, 7.5, slice],
        majorAxis: [1, 0, 0],
        majorHalfLength: 7.9,
        minorHalfLength: 7.9,
      }),
    onSample: ({ value }: { value: number }) => values.push(value),
  });
  return values;
};

const ofImage = (imageId: string) => countedIn(cache.getImage(imageId)?.voxelManager, imageId);

test('padding does not count in the values of a region', async () => {
  const values = ofImage(await load({ PixelPaddingValue: 65_535 }, 65_535));

  expect(values).toHaveLength(128);
  expect(new Set(values)).toEqual(new Set([-80, -40]));
});

test('a range of padding does not count in the values of a region', async () => {
  const values = ofImage(await load({ PixelPaddingValue: 65_535, PixelPaddingRangeLimit: 60_000 }, 61_234));

  expect(new Set(values)).toEqual(new Set([-80, -40]));
});

test('all values of an image without padding count', async () => {
  const values = ofImage(await load({}, 50));

  expect(values).toHaveLength(256);
  expect(new Set(values)).toEqual(new Set([-80, -40, 0]));
});

test('padding of each slice does not count in a region on a plane of a volume', async () => {
  const imageIds = [
    await load({ PixelPaddingValue: 2000 }, 2000, 0),
    await load({ PixelPaddingValue: 3000 }, 2000, 1),
    await load({ PixelPaddingValue: 3000 }, 3000, 2),
  ];
  const volume = volumeLoader.createAndCacheVolumeFromImagesSync('padded volume', imageIds);

  const lengths = [0, 1, 2].map((slice) => countedIn(volume.voxelManager, '', 3, slice).length);

  expect(lengths.toSorted((one, other) => one - other)).toEqual([128, 128, 256]);
  expect(lengths[volume.imageIds.indexOf(imageIds[1] ?? '')]).toBe(256);
});

test('padding has no value in a sphere, nor under the pointer', async () => {
  const imageIds = [await load({ PixelPaddingValue: 2000 }, 2000), await load({ PixelPaddingValue: 2000 }, 2000, 1)];
  const content = volumeLoader.createAndCacheVolumeFromImagesSync('padded voxels', imageIds);

  const { at } = voxelsOf({ content });

  expect([at(0, 2, 0), at(1, 2, 1)]).toEqual([-80, -40]);
  expect(at(0, 12, 0)).toBeNaN();
});
