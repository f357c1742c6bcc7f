import type { Types } from '@cornerstonejs/core';
import { refusal } from '#core/api.ts';
import { mayAskAgain, pauseBefore } from '#core/ask-again.ts';

/** The refusal of a server that has had too many calls for now; the library fails with the request itself. */
const heldUp = (error: unknown) =>
  error instanceof XMLHttpRequest && error.status === 429
    ? refusal(error.status, '', (name) => error.getResponseHeader(name))
    : undefined;

const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

const tryAgain = async <T>(load: () => Promise<T>, tries = 0): Promise<T> => {
  try {
    return await load();
  } catch (error) {
    const refused = heldUp(error);
    if (!refused || !mayAskAgain(tries, refused)) throw error;
    await wait(pauseBefore(tries, refused));
    return tryAgain(load, tries + 1);
  }
};

/**
 * Has a loader ask again by itself, as every other call does, for an image that was one too many: when the server takes
 * calls again, so often and no later than core/ask-again.ts says. Meanwhile the image is on its way.
 */
export const askingAgain =
  (load: Types.ImageLoaderFn): Types.ImageLoaderFn =>
  (imageId, options) => ({ promise: tryAgain(() => load(imageId, options).promise) });
