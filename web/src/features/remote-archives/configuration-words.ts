import { ApiError, wordsFor } from '#core/api.ts';

const words: Record<number, string> = {
  0: 'No response received from server',
  400: 'Invalid request data',
  401: 'Authentication required',
  403: 'Access denied',
  404: 'Configuration not found',
  409: 'Configuration already exists',
  422: 'Validation failed',
  500: 'Server error occurred',
};

/** Returns the message for a failed call: the server's, or one by status (check 96). */
export const configurationWords = (error: unknown, fallback: string): string => {
  if (!(error instanceof ApiError) || error.isFromServer) return wordsFor(error, fallback);
  return words[error.status] ?? `Unexpected error: ${error.status}`;
};
