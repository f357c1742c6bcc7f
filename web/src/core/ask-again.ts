import { ApiError } from './api.ts';
import { noteHeldUp } from './toasts.ts';

/** In seconds. Who is to come back later than that decides for themselves whether to. */
const longestWait = 30;
const mostTries = 5;

/** After how many seconds the server takes another call, where it has had too many. */
const heldUpFor = (error: unknown): number | undefined => {
  if (!(error instanceof ApiError) || error.status !== 429) return undefined;
  const { retryAfterSeconds = 1 } = error;
  return retryAfterSeconds <= longestWait ? retryAfterSeconds : undefined;
};

/** Whether what was to be read and was not is asked for again by itself. `count` times it has been already. */
export const mayAskAgain = (count: number, error: Error): boolean => {
  if (heldUpFor(error) !== undefined) {
    if (count >= mostTries) return false;
    noteHeldUp();
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
