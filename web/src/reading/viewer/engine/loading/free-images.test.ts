import { cache, type Types } from '@cornerstonejs/core';
import { metaData, registerDefaultProviders } from '@cornerstonejs/metadata';
import { QueryClient, QueryObserver } from '@tanstack/react-query';
import { beforeAll, beforeEach, expect, test } from 'vitest';
import { seriesImages } from '#reading/viewer/images/series/series-loader.ts';
import { forgetAll, forgetOthers, noteStudy, studiesKnown } from './free-images.ts';
import { describeImages } from './image-metadata.ts';

let client: QueryClient;

beforeAll(() => registerDefaultProviders());

beforeEach(() => {
  client = new QueryClient();
  // Clears the cache of the imaging library, because all test files share it.
  cache.purgeCache();
});

const imagesOf = (study: string) =>
  [1, 2].map((number) => ({
    imageId: `wadors:/api/wado-rs/studies/${study}/series/2.25.2/instances/2.25.${number}/frames/1`,
    header: {
      '00080018': { vr: 'UI', Value: [`2.25.${number}`] },
      '00200037': { vr: 'DS', Value: [1, 0, 0, 0, 1, 0] },
    },
    frame: 1,
    numberOfFrames: 1,
    instanceNumber: number,
    plane: undefined,
  }));

/** Puts images into the cache as if they had been fetched and decoded. */
const load = (images: readonly { imageId: string }[]) => {
  for (const { imageId } of images) cache.putImageSync(imageId, { imageId, sizeInBytes: 1000 } as Types.IImage);
};

const loaded = (images: readonly { imageId: string }[]) =>
  images.filter(({ imageId }) => cache.isLoaded(imageId)).length;

test('opening a study frees the images of the study before and keeps its own', () => {
  const [first, second] = [imagesOf('2.25.10'), imagesOf('2.25.11')];
  noteStudy(first);
  noteStudy(second);
  load(first);
  load(second);
  expect(cache.getCacheSize()).toBe(4000);

  forgetOthers('2.25.11', client);

  expect([loaded(first), loaded(second)]).toEqual([0, 2]);
  expect(cache.getCacheSize()).toBe(2000);
});

test('the images of a reopened study stay in memory until the next study opens', () => {
  const [first, second] = [imagesOf('2.25.12'), imagesOf('2.25.13')];
  noteStudy(first);
  load(first);

  forgetOthers('2.25.12', client);
  expect(loaded(first)).toBe(2);
  forgetOthers('2.25.13', client);
  load(first);
  forgetOthers('2.25.13', client);

  expect([loaded(first), loaded(second)]).toEqual([0, 0]);
});

/** Registers the series of a study as if the viewer had loaded it. */
const read = (study: string) => {
  const images = imagesOf(study);
  client.setQueryData(seriesImages(study, '2.25.2').queryKey, images);
  noteStudy(images);
  describeImages(images);
  return images;
};

const isRead = (study: string) => client.getQueryData(seriesImages(study, '2.25.2').queryKey) !== undefined;

const describedOf = (images: readonly { imageId: string }[]) =>
  images.filter(({ imageId }) => metaData.get('imagePlaneModule', imageId)?.rowCosines).length;

test('headers of a study are freed with its pixels, and loaded again when the study opens again', () => {
  const [first, second] = [read('2.25.14'), read('2.25.15')];
  expect([describedOf(first), describedOf(second)]).toEqual([2, 2]);

  forgetOthers('2.25.15', client);

  expect([isRead('2.25.14'), isRead('2.25.15')]).toEqual([false, true]);
  expect([describedOf(first), describedOf(second)]).toEqual([0, 2]);
  expect(describedOf(read('2.25.14'))).toBe(2);
});

test('the headers of a prior on the screen are not freed', () => {
  const prior = read('2.25.16');
  const leave = new QueryObserver(client, { ...seriesImages('2.25.16', '2.25.2') }).subscribe(() => undefined);

  forgetOthers('2.25.17', client);
  expect([isRead('2.25.16'), describedOf(prior)]).toEqual([true, 2]);

  leave();
  forgetOthers('2.25.17', client);
  expect([isRead('2.25.16'), describedOf(prior)]).toEqual([false, 0]);
});

/** Registers running requests for images. Returns a function that completes them. */
const fetching = (images: readonly { imageId: string }[]) => {
  const frames = images.map(({ imageId }) => {
    const { promise, resolve } = Promise.withResolvers<Types.IImage>();
    return {
      kept: cache.putImageLoadObject(imageId, { promise }),
      come: () => resolve({ imageId, sizeInBytes: 1000 } as Types.IImage),
    };
  });
  return async () => {
    for (const { come } of frames) come();
    await Promise.all(frames.map(({ kept }) => kept));
  };
};

test('opening a second study keeps the header of a frame that still loads; opening a third study frees it', async () => {
  const earlierImages = read('2.25.18');
  load(earlierImages.slice(0, 1));
  const arrive = fetching(earlierImages.slice(1));

  forgetOthers('2.25.19', client);
  expect([loaded(earlierImages), describedOf(earlierImages)]).toEqual([0, 2]);
  forgetOthers('2.25.19', client);
  await arrive();
  expect([loaded(earlierImages), describedOf(earlierImages)]).toEqual([1, 2]);

  forgetOthers('2.25.19', client);
  expect([loaded(earlierImages), describedOf(earlierImages)]).toEqual([0, 0]);
});

test('after several studies, only the open study is remembered', () => {
  for (let study = 20; study < 30; study += 1) {
    load(read(`2.25.${study}`));
    forgetOthers(`2.25.${study}`, client);
  }
  forgetOthers('2.25.29', client);

  expect(studiesKnown()).toBe(1);
});

test('after the user has left the viewer, no study is remembered', () => {
  const [first, second] = [read('2.25.30'), read('2.25.31')];
  load(first);
  load(second);

  forgetAll();

  expect([loaded(first), loaded(second), describedOf(first), describedOf(second), studiesKnown()]).toEqual([
    0, 0, 0, 0, 0,
  ]);
});
