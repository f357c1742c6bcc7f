import type { Types } from '@cornerstonejs/core';
import { losslessJpegError } from '#reading/viewer/images/header/lossless-jpeg-error.ts';
import { leaveToServer } from '#reading/viewer/images/header/browser-decoding.ts';

const isAnotherJpeg = (error: unknown) => error instanceof Error && error.message.includes(losslessJpegError);

/**
 * Wraps an image loader. If the actual compression of an image differs from the declared compression, asks the server
 * to decode the image. The decoders on the server use the actual compression.
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
