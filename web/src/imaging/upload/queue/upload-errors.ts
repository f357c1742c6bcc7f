import { t } from '@lingui/core/macro';
import { ApiError } from '#core/http/api.ts';

/** Whether the archive is full. All further files would fail too. */
export const isArchiveFull = (error: unknown) => error instanceof ApiError && error.status === 507;

/**
 * Whether a batch did not reach the server, or the server failed. A retry is safe, because the archive stores each
 * instance only once.
 */
export const isUnreachable = (error: unknown): error is ApiError =>
  error instanceof ApiError &&
  (error.status === 0 || error.status === 408 || error.status === 429 || error.status >= 500) &&
  !isArchiveFull(error);

/**
 * Whether a failed batch may have arrived: its bytes were sent, but no response came. A batch that was refused as a
 * whole is not stored.
 */
export const isOutcomeUnknown = (error: unknown) =>
  !(error instanceof ApiError) || (isUnreachable(error) && error.status !== 429);

/** Whether the session has ended. The same user can continue after signing in again. */
export const isSignedOut = (error: unknown) => error instanceof ApiError && error.status === 401;

/** Returns the message of the server, or a default. */
export const messageOf = (error: unknown) => (error instanceof ApiError ? error.message : t`Failed to send the file`);
