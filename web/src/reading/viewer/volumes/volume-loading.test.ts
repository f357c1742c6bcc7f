import { cache, registerImageLoader, StreamingImageVolume, type Types } from '@cornerstonejs/core';
import { afterEach, expect, test } from 'vitest';
import { eventually } from '#test/eventually.ts';
import type { SeriesImage } from '#reading/viewer/images/series/series-loader.ts';
import { type Arrival, isLoading, isWhole, loadAround, loadVolume, type Volume } from './volume.ts';

const ends = new Map<string, PromiseWithResolvers<Types.IImage>>();

registerImageLoader('slices', (imageId) => {
  const end = Promise.withResolvers<Types.IImage>();
  ends.set(imageId, end);
  return { promise: end.promise as Promise<Types.IImage & Record<string, unknown>> };
});

afterEach(() => {
  cache.purgeCache();
  ends.clear();
});

const numberOf = (imageId: string) => Number(imageId.split('/').at(-1));

/** A slice of one pixel. */
const sliceOf = (imageId: string, value = 1, rows = 1) =>
  ({
    imageId,
    rows,
    columns: 1,
    width: 1,
    height: 1,
    numberOfComponents: 1,
    sizeInBytes: 2,
    minPixelValue: value,
    maxPixelValue: value,
    getPixelData: () => Int16Array.of(value),
    imageFrame: {},
  }) as unknown as Types.IImage;

const arrive = (imageId: string, image = sliceOf(imageId)) => ends.get(imageId)?.resolve(image);

let lastSeries = 0;

/** Starts to load a volume of axial slices, 2 mm apart. */
const loading = (count: number) => {
  lastSeries += 1;
  const imageIds = Array.from({ length: count }, (_, slice) => `slices:${lastSeries}/${slice}`);
  const given: string[] = [];
  const scaled: string[] = [];
  const content = Object.assign(Object.create(StreamingImageVolume.prototype), {
    dataType: 'Int16Array',
    origin: [0, 0, -100],
    direction: [1, 0, 0, 0, 1, 0, 0, 0, 1],
    spacing: [1, 1, 2],
    dimensions: [1, 1, count],
    getLoaderImageOptions: (imageId: string) => {
      scaled.push(imageId);
      return {};
    },
    successCallback: (imageId: string) => given.push(imageId),
    errorCallback: () => undefined,
    load: () => content.loadImages(),
    _imageIds: imageIds,
  });
  const volume: Volume = {
    volumeId: 'volume',
    images: imageIds.map((imageId) => ({ imageId, header: {} }) as SeriesImage),
    content,
    loaded: new Set(),
    missing: new Set(),
    queue: { current: undefined },
  };
  const arrivals: Arrival[] = [];
  const beyond: SeriesImage[] = [];
  const stop = loadVolume(
    volume,
    (arrival) => arrivals.push(arrival),
    (image) => beyond.push(image),
  );
  return { volume, imageIds, given, scaled, arrivals, beyond, stop };
};

const requested = () => [...ends.keys()].map(numberOf);

test('shows the middle slice as soon as it arrives, and then those where the reader looks', async () => {
  const { volume, imageIds, given, stop } = loading(40);
  await eventually(() => expect(requested()).toEqual([20, 16, 32, 0, 24, 8, 12, 28]));
  arrive(imageIds[20] ?? '');

  await eventually(() => expect(given).toEqual([imageIds[20]]));
  expect([isLoading(volume), isWhole(volume)]).toEqual([true, false]);

  // 35 slices above the first.
  loadAround(volume, [5, 5, -30]);
  arrive(imageIds[16] ?? '');
  await eventually(() => expect(requested().at(-1)).toBe(35));
  stop();
  for (const imageId of imageIds) arrive(imageId);
});

test('the scale of a PET volume is known before its first slice is requested', () => {
  const { imageIds, scaled, stop } = loading(20);
  expect(requested()).toEqual([]);
  expect(scaled).toEqual(imageIds);
  stop();
});

test('a slice with too few pixels counts as damaged', async () => {
  const { volume, imageIds, arrivals } = loading(2);
  await eventually(() => expect(requested()).toHaveLength(2));
  arrive(imageIds[0] ?? '');
  arrive(imageIds[1] ?? '', { ...sliceOf(imageIds[1] ?? ''), getPixelData: () => new Int16Array() });

  await eventually(() => expect(arrivals.at(-1)?.failed).toHaveLength(1));
  expect(isWhole(volume)).toBe(false);
});

test('a volume with damaged slices loads no more, and is not whole', async () => {
  const { volume, imageIds, arrivals } = loading(3);
  await eventually(() => expect(requested()).toHaveLength(3));
  arrive(imageIds[0] ?? '');
  for (const imageId of imageIds.slice(1)) arrive(imageId, sliceOf(imageId, 1, 0));

  await eventually(() => expect(arrivals.at(-1)?.failed).toHaveLength(2));
  expect(arrivals.at(-1)).toMatchObject({ loaded: 1, total: 3 });
  expect([...volume.missing].map(numberOf).toSorted((one, other) => one - other)).toEqual([1, 2]);
  expect([isLoading(volume), isWhole(volume)]).toEqual([false, false]);
});

test('several slices that the volume cannot hold are reported once, and nothing more is loaded', async () => {
  const { imageIds, given, beyond } = loading(30);
  await eventually(() => expect(requested()).toHaveLength(8));
  for (const slice of [15, 16]) arrive(imageIds[slice] ?? '', sliceOf(imageIds[slice] ?? '', 40_000));

  await eventually(() => expect(beyond).toHaveLength(1));
  for (const imageId of imageIds) arrive(imageId);
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(beyond).toHaveLength(1);
  expect(requested()).toHaveLength(8);
  expect(given).toEqual([]);
});
