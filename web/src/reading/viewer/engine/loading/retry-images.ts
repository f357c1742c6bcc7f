import type { Types } from '@cornerstonejs/core';
import { readError } from '#core/http/api.ts';
import { shouldRetry, retryDelay } from '#core/http/retry.ts';

/**
 * Converts a response with status 429 to an error that says so. The imaging library rejects with the request object.
 */
const readRateLimit = (error: unknown) =>
  error instanceof XMLHttpRequest && error.status === 429
    ? readError(error.status, '', (name) => error.getResponseHeader(name))
    : undefined;

const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

const tryAgain = async <T>(load: () => Promise<T>, tries = 0): Promise<T> => {
  try {
    return await load();
  } catch (error) {
    const rateLimit = readRateLimit(error);
    if (!rateLimit || !shouldRetry(tries, rateLimit)) throw error;
    await wait(retryDelay(tries, rateLimit));
    return tryAgain(load, tries + 1);
  }
};

/**
 * Wraps an image loader. Repeats a request that the server refused with status 429 (too many requests). Number and
 * delays of retries are those of core/http/retry.ts. Meanwhile the image counts as loading.
 */
export const withRetries =
  (load: Types.ImageLoaderFn): Types.ImageLoaderFn =>
  (imageId, options) => ({ promise: tryAgain(() => load(imageId, options).promise) });
