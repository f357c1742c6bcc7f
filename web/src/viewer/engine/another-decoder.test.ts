import type { Types } from '@cornerstonejs/core';
import { expect, test } from 'vitest';
import { anotherJpeg } from '#viewer/images/another-jpeg.ts';
import { headersFor } from '#viewer/images/browser-decoding.ts';
import { leavingOthers } from './another-decoder.ts';

/** A loader that fails so the first time, and what it was asked to ask for each time. */
const loader = (error: unknown) => {
  const asked: (string | undefined)[] = [];
  const load = leavingOthers((imageId) => {
    asked.push(headersFor(imageId)['Accept']);
    return { promise: asked.length > 1 ? Promise.resolve({ imageId } as Types.IImage) : Promise.reject(error) };
  });
  return { asked, load };
};

test('a JPEG of another kind than its file says is had decoded by the server', async () => {
  const { asked, load } = loader(new Error(anotherJpeg));

  expect(await load('wadors:/a/instances/1/frames/1').promise).toEqual({ imageId: 'wadors:/a/instances/1/frames/1' });
  expect(asked).toEqual([undefined, expect.stringContaining('transfer-syntax=1.2.840.10008.1.2.1')]);
});

test('what failed otherwise is left as it is', async () => {
  const { asked, load } = loader(new Error('Nothing was decoded'));

  await expect(load('wadors:/a/instances/2/frames/1').promise).rejects.toThrow('Nothing was decoded');
  expect(asked).toEqual([undefined]);
});
