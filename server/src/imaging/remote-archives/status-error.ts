import { t } from '@radwork/contract/core/translate';
import { RemoteError } from '#core/outgoing/remote-error.ts';

/** An answer with any status except 2xx. */
export class StatusError extends RemoteError {
  readonly status: number;
  /** Milliseconds until the archive accepts another request. 0 when the archive does not say. */
  readonly retryAfterMs: number;

  constructor(status: number, retryAfter = '') {
    super(...inWords(status));
    this.status = status;
    this.retryAfterMs = millisecondsUntil(retryAfter);
  }
}

/** Parses seconds or a date (RFC 9110 §10.2.3). */
const millisecondsUntil = (retryAfter: string): number => {
  const milliseconds = /^\d+$/.test(retryAfter) ? Number(retryAfter) * 1000 : Date.parse(retryAfter) - Date.now();
  return milliseconds > 0 ? milliseconds : 0;
};

const inWords = (status: number): ConstructorParameters<typeof RemoteError> => {
  if (status === 401) return ['UNAUTHORIZED', t`The archive rejected the credentials (401).`];
  if (status === 403) return ['FORBIDDEN', t`The archive denied access (403).`];
  if (status === 404) return ['NOT_FOUND', t`The archive found nothing at this address (404).`];
  if (status === 408 || status === 429) return ['SERVER_ERROR', t`The archive is busy. Try again later (${status}).`];
  if (status >= 500) return ['SERVER_ERROR', t`The archive reported an internal error (${status}).`];
  return ['WRONG_SERVICE', t`The archive rejected the request (${status}).`];
};
