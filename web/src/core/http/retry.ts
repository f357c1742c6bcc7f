import { ApiError } from './api.ts';
import { showRateLimited } from '#core/browser/toasts.ts';

/** Longest automatic wait, in seconds. If the server asks for a longer wait, the user decides. */
const longestWait = 30;
const mostTries = 5;

/** Statuses that a file gets again as long as it is the same: not in this form, too large, not drawable. */
const ofContent = [406, 413, 415, 422];

/** Whether the same request would be refused again. */
export const isRefusedForGood = (error: unknown): boolean =>
  error instanceof ApiError && ofContent.includes(error.status);

const isTooMany = (error: unknown): boolean => error instanceof ApiError && error.status === 429;

/**
 * Returns the seconds until the server accepts another call, after a 429 (too many calls) or a 503 with Retry-After.
 * Undefined after other errors, and if the wait is too long.
 */
const retryAfterSecondsOf = (error: unknown): number | undefined => {
  if (!(error instanceof ApiError)) return undefined;
  if (!isTooMany(error) && !(error.status === 503 && error.retryAfterSeconds !== undefined)) return undefined;
  const { retryAfterSeconds = 1 } = error;
  return retryAfterSeconds <= longestWait ? retryAfterSeconds : undefined;
};

/** Whether to retry a failed read. `count` is the number of retries so far. */
export const shouldRetry = (count: number, error: Error): boolean => {
  if (retryAfterSecondsOf(error) !== undefined) {
    if (count >= mostTries) return false;
    if (isTooMany(error)) showRateLimited();
    return true;
  }
  return count < 2 && !(error instanceof ApiError && error.status >= 400 && error.status < 500);
};

/**
 * Returns the wait before a retry, in milliseconds. After a rate limit, it is random, so that many browsers do not
 * retry at the same moment.
 */
export const retryDelay = (count: number, error: Error): number => {
  const seconds = retryAfterSecondsOf(error);
  if (seconds === undefined) return Math.min(1000 * 2 ** count, 30_000);
  return (seconds + Math.random() * (count + 1)) * 1000;
};

/** Retries a call after status 429, or 503 with Retry-After, as often as a query would. */
export const callWithRetries = async <T>(request: () => Promise<T>): Promise<T> => {
  for (let count = 0; ; count++) {
    try {
      return await request();
    } catch (error) {
      if (!(error instanceof ApiError) || retryAfterSecondsOf(error) === undefined || !shouldRetry(count, error))
        throw error;
      await new Promise((resolve) => setTimeout(resolve, retryDelay(count, error)));
    }
  }
};
