import { ApiError } from '#core/api.ts';

/** The archive has no room left: sending more would only fail, now and for every other file. */
export const isFull = (error: unknown) => error instanceof ApiError && error.status === 507;

/** Nobody received the batch, or the server had a fault. Sending it again may help and never harms: stored twice is stored once. */
export const isAway = (error: unknown): error is ApiError =>
  error instanceof ApiError &&
  (error.status === 0 || error.status === 408 || error.status === 429 || error.status >= 500) &&
  !isFull(error);

/**
 * Whether a batch that ended so may have arrived all the same: its bytes were on their way, and no answer says what
 * became of them. What an answer refuses as a whole is not stored.
 */
export const isUnsure = (error: unknown) => !(error instanceof ApiError) || (isAway(error) && error.status !== 429);

/** The session has ended: the same person goes on after signing in again. */
export const isSignedOut = (error: unknown) => error instanceof ApiError && error.status === 401;

/** The server's words, or ours where it had none. */
export const wordsOf = (error: unknown) => (error instanceof ApiError ? error.message : 'The file could not be sent');
