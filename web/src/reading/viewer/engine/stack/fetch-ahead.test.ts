import { cache, eventTarget, registerImageLoader, type StackViewport, triggerEvent } from '@cornerstonejs/core';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { fetchAhead } from './fetch-ahead.ts';

/** Functions that end the decoding of each requested image. */
const requested = new Map<string, () => void>();

beforeEach(() => {
  requested.clear();
  cache.purgeCache();
  registerImageLoader('ahead', (imageId) => ({
    promise: new Promise((resolve) => {
      requested.set(imageId, () => resolve({ imageId, sizeInBytes: 100 } as never));
    }),
  }));
});

/** Ends the requests of a test, because all stacks share the connections. */
afterEach(async () => {
  stops.splice(0).forEach((stop) => stop());
  for (const decoded of requested.values()) decoded();
  await new Promise((resolve) => setTimeout(resolve));
});

const stops: (() => void)[] = [];
let lastNumber = 0;

/** Returns a viewport with a stack of images, and functions to move it and to read the requests. */
const stackOf = (count: number, start = 0) => {
  lastNumber += 1;
  const imageIds = Array.from({ length: count }, (_, at) => `ahead:${lastNumber}.${at}`);
  const element = document.createElement('div');
  let current = start;
  const viewport = {
    element,
    isDisabled: false,
    getImageIds: () => imageIds,
    getCurrentImageIdIndex: () => current,
    getCornerstoneImage: () => undefined,
  } as unknown as StackViewport;
  stops.push(fetchAhead(viewport));
  const idAt = (at: number) => imageIds[at] ?? '';
  return {
    viewport,
    requestedIndexes: () => [...requested.keys()].map((imageId) => imageIds.indexOf(imageId)),
    arrive: (at: number) => triggerEvent(eventTarget, 'cornerstoneimageloadend', { imageId: idAt(at) }),
    settle: async (at: number) => {
      requested.get(idAt(at))?.();
      await new Promise((resolve) => setTimeout(resolve));
    },
    moveTo: (at: number) => {
      current = at;
      triggerEvent(element, 'CORNERSTONE_STACK_NEW_IMAGE', {});
    },
  };
};

test('the nearest images are requested first, more of them ahead, and five at once', () => {
  const stack = stackOf(30, 10);

  expect(stack.requestedIndexes()).toEqual([10, 11, 12, 9, 13]);
});

test('the next image is requested when a response arrives, before its image is decoded', async () => {
  const stack = stackOf(30);

  stack.arrive(0);
  expect(stack.requestedIndexes()).toHaveLength(6);
  await stack.settle(0);
  expect(stack.requestedIndexes()).toHaveLength(6);
});

test('no more than fifteen images wait for responses and decoders', async () => {
  const stack = stackOf(60);

  for (let at = 0; at < 30; at += 1) stack.arrive(at);
  expect(stack.requestedIndexes()).toHaveLength(15);
  await stack.settle(3);
  expect(stack.requestedIndexes()).toHaveLength(16);
});

test('a scroll changes which images are requested next', () => {
  const stack = stackOf(60);
  const before = stack.requestedIndexes().length;

  stack.moveTo(40);
  stack.arrive(0);
  stack.arrive(1);
  expect(stack.requestedIndexes().slice(before)).toEqual([40, 41]);
});

test('an image that left the cache is requested again near the current image only', async () => {
  const stack = stackOf(60);
  for (let at = 0; at < 60; at += 1) await stack.settle(at);
  requested.clear();
  for (const at of [3, 50]) cache.removeImageLoadObject(stack.viewport.getImageIds()[at] ?? '', { force: true });

  stack.moveTo(1);
  expect(stack.requestedIndexes()).toEqual([3]);
});

test('nothing more is requested after the stop', async () => {
  const stack = stackOf(30);
  stops.splice(0).forEach((stop) => stop());

  await stack.settle(0);
  expect(stack.requestedIndexes()).toHaveLength(5);
});
