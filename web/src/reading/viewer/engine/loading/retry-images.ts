import type { Types } from '@cornerstonejs/core';
import { readError } from '#core/http/api.ts';
import { shouldRetry, retryDelay } from '#core/http/retry.ts';

/** Converts an answer 429 to a refusal. The library rejects with the request itself. */
const readRateLimit = (error: unknown) =>
  error instanceof XMLHttpRequest && error.status === 429
    ? readError(error.status, '', (name) => error.getResponseHeader(name))
    : undefined;

const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

const tryAgain = async <T>(load: () => Promise<T>, tries = 0): Promise<T> => {
  try {
    return await load();
  } catch (error) {
    const refused = readRateLimit(error);
    if (!refused || !shouldRetry(tries, refused)) throw error;
    await wait(retryDelay(tries, refused));
    return tryAgain(load, tries + 1);
  }
};

/**
 * Wraps a loader: repeats a request that was one too many, as all other calls do. Number and delays are those of
 * core/http/retry.ts. Meanwhile the image counts as loading.
 */
export const withRetries =
  (load: Types.ImageLoaderFn): Types.ImageLoaderFn =>
  (imageId, options) => ({ promise: tryAgain(() => load(imageId, options).promise) });
