import { t } from '@lingui/core/macro';
import { ApiError, errorMessageOf } from '#core/http/api.ts';

const words: Record<number, string> = {
  0: t`No response received from server`,
  400: t`Invalid request data`,
  401: t`Authentication required`,
  403: t`Access denied`,
  404: t`Configuration not found`,
  409: t`Configuration already exists`,
  422: t`Validation failed`,
  500: t`Server error occurred`,
};

/**
 * Returns the message of a failed call: the message of the server, or the message that the specification gives for the
 * status code.
 */
export const configurationErrorMessage = (error: unknown, fallback: string): string => {
  if (!(error instanceof ApiError) || error.isFromServer) return errorMessageOf(error, fallback);
  const { status } = error;
  return words[status] ?? t`Unexpected error: ${status}`;
};
