import type { Types } from '@cornerstonejs/core';
import { anotherJpeg } from '#viewer/images/another-jpeg.ts';
import { leaveToServer } from '#viewer/images/browser-decoding.ts';

const isAnotherJpeg = (error: unknown) => error instanceof Error && error.message.includes(anotherJpeg);

/**
 * Has a loader ask the server to decode an image that is compressed otherwise than its file says: the server's decoders go
 * by what they find.
 */
export const leavingOthers =
  (load: Types.ImageLoaderFn): Types.ImageLoaderFn =>
  (imageId, options) => ({
    promise: load(imageId, options).promise.catch((error: unknown) => {
      if (!isAnotherJpeg(error)) throw error;
      leaveToServer(imageId);
      return load(imageId, options).promise;
    }),
  });
