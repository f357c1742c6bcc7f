import type { Types } from '@cornerstonejs/core';
import { losslessJpegError } from '#viewer/images/another-jpeg.ts';
import { leaveToServer } from '#viewer/images/browser-decoding.ts';

const isAnotherJpeg = (error: unknown) => error instanceof Error && error.message.includes(losslessJpegError);

/**
 * Wraps a loader: the server decodes an image whose compression differs from its declared one. The server's decoders go
 * by the bytes they find.
 */
export const withServerDecoding =
  (load: Types.ImageLoaderFn): Types.ImageLoaderFn =>
  (imageId, options) => ({
    promise: load(imageId, options).promise.catch((error: unknown) => {
      if (!isAnotherJpeg(error)) throw error;
      leaveToServer(imageId);
      return load(imageId, options).promise;
    }),
  });
