import { t } from '@lingui/core/macro';
import { ApiError } from '#core/http/api.ts';

/** The archive is full. All further files would fail too. */
export const isArchiveFull = (error: unknown) => error instanceof ApiError && error.status === 507;

/**
 * The batch did not reach the server, or the server failed. Retrying is safe: the archive stores each instance once.
 */
export const isUnreachable = (error: unknown): error is ApiError =>
  error instanceof ApiError &&
  (error.status === 0 || error.status === 408 || error.status === 429 || error.status >= 500) &&
  !isArchiveFull(error);

/**
 * Tells whether a failed batch may have arrived: its bytes were on their way and no answer confirms the result. A batch
 * refused as a whole is not stored.
 */
export const isOutcomeUnknown = (error: unknown) =>
  !(error instanceof ApiError) || (isUnreachable(error) && error.status !== 429);

/** The session has ended. The same user can continue after signing in again. */
export const isSignedOut = (error: unknown) => error instanceof ApiError && error.status === 401;

/** Returns the server's message, or a default one. */
export const messageOf = (error: unknown) => (error instanceof ApiError ? error.message : t`Failed to send the file`);
