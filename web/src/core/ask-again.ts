import { ApiError } from './api.ts';
import { noteHeldUp } from './toasts.ts';

/** In seconds. Who is to come back later than that decides for themselves whether to. */
const longestWait = 30;
const mostTries = 5;

const isTooMany = (error: unknown): boolean => error instanceof ApiError && error.status === 429;

/** Seconds until the server takes another call: it has had too many, or could not answer in time and says when to return. */
const heldUpFor = (error: unknown): number | undefined => {
  if (!(error instanceof ApiError)) return undefined;
  if (!isTooMany(error) && !(error.status === 503 && error.retryAfterSeconds !== undefined)) return undefined;
  const { retryAfterSeconds = 1 } = error;
  return retryAfterSeconds <= longestWait ? retryAfterSeconds : undefined;
};

/** Whether what was to be read and was not is asked for again by itself. `count` times it has been already. */
export const mayAskAgain = (count: number, error: Error): boolean => {
  if (heldUpFor(error) !== undefined) {
    if (count >= mostTries) return false;
    if (isTooMany(error)) noteHeldUp();
    return true;
  }
  return count < 2 && !(error instanceof ApiError && error.status >= 400 && error.status < 500);
};

/** How long before that, in milliseconds. All that wait would be too many again if they came back together. */
export const pauseBefore = (count: number, error: Error): number => {
  const seconds = heldUpFor(error);
  if (seconds === undefined) return Math.min(1000 * 2 ** count, 30_000);
  return (seconds + Math.random() * (count + 1)) * 1000;
};

/** Calls again for an answer that the server could not give in time (503 with Retry-After), as often as for what is read. */
export const askedAgain = async <T>(ask: () => Promise<T>): Promise<T> => {
  for (let count = 0; ; count++) {
    try {
      return await ask();
    } catch (error) {
      if (!(error instanceof ApiError) || heldUpFor(error) === undefined || !mayAskAgain(count, error)) throw error;
      await new Promise((resolve) => setTimeout(resolve, pauseBefore(count, error)));
    }
  }
};
