import type { Types } from '@cornerstonejs/core';
import { expect, test } from 'vitest';
import { losslessJpegError } from '#reading/viewer/images/header/lossless-jpeg-error.ts';
import { headersFor } from '#reading/viewer/images/header/browser-decoding.ts';
import { withServerDecoding } from './server-decoding.ts';

/** Image loader that fails the first time with `error` and records the Accept header of each request. */
const loader = (error: unknown) => {
  const acceptHeaders: (string | undefined)[] = [];
  const load = withServerDecoding((imageId) => {
    acceptHeaders.push(headersFor(imageId)['Accept']);
    return { promise: acceptHeaders.length > 1 ? Promise.resolve({ imageId } as Types.IImage) : Promise.reject(error) };
  });
  return { asked: acceptHeaders, load };
};

test('the server decodes a JPEG whose file declares another kind of JPEG', async () => {
  const { asked: acceptHeaders, load } = loader(new Error(losslessJpegError));

  expect(await load('wadors:/a/instances/1/frames/1').promise).toEqual({ imageId: 'wadors:/a/instances/1/frames/1' });
  expect(acceptHeaders).toEqual([undefined, expect.stringContaining('transfer-syntax=1.2.840.10008.1.2.1')]);
});

test('errors of the decoder other than a wrong JPEG kind are thrown unchanged', async () => {
  const { asked: acceptHeaders, load } = loader(new Error('Nothing was decoded'));

  await expect(load('wadors:/a/instances/2/frames/1').promise).rejects.toThrow('Nothing was decoded');
  expect(acceptHeaders).toEqual([undefined]);
});
