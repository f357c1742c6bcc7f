import type { Types } from '@cornerstonejs/core';
import { losslessJpegError } from '#reading/viewer/images/header/lossless-jpeg-error.ts';
import { leaveToServer } from '#reading/viewer/images/header/browser-decoding.ts';

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
