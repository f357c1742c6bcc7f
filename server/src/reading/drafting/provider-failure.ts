import { t } from '@radwork/contract/core/translate';
import { APICallError, RetryError } from 'ai';
import { RemoteError } from '#core/outgoing/remote-error.ts';
import { Problem } from '#core/http/problem.ts';

/** A provider, as named in error messages. */
export type Place = { name: string; model: string; seconds: number };

/** Creates the error of a provider that failed. Status 504 for a time-out. */
const failed = (message: string, status: 502 | 504 = 502) => new Problem(status, 'drafting.failed', message);

export const cutOff = ({ name }: Place) => failed(t`The answer of ${name} was incomplete and was discarded.`);

export const tooLate = ({ name, seconds }: Place) => failed(t`${name} did not answer within ${seconds} seconds`, 504);

export const empty = ({ name }: Place) => failed(t`${name} returned no text`);

/** Converts the reason of an early stop to an error. */
export const stoppedEarly = (reason: string, place: Place): Problem => {
  if (reason === 'length') return failed(t`The answer of ${place.name} was too long. It was discarded.`);
  if (reason === 'content-filter') return failed(t`${place.name} refused to process this text`);
  return cutOff(place);
};

const statusWords = (status: number, { name, model }: Place): string => {
  if (status === 401 || status === 403) return t`${name} rejected the API key (${status})`;
  if (status === 404) return t`${name} has no model "${model}" at this address (404)`;
  if (status === 429) return t`${name} is busy or its quota is used up (429). Try again later.`;
  if (status >= 500) return t`${name} reported an internal error (${status})`;
  return t`${name} rejected the request (${status}). Check the model and the address.`;
};

/** Returns the first error of a kind in a chain of causes. */
const causeOf = <T>(error: unknown, isOfKind: (one: unknown) => one is T): T | undefined => {
  for (let one = error, depth = 0; one !== undefined && depth < 6; depth += 1) {
    if (isOfKind(one)) return one;
    one = one instanceof Error ? one.cause : undefined;
  }
  return undefined;
};

const isRemote = (error: unknown): error is RemoteError => error instanceof RemoteError;
const isCall = (error: unknown): error is APICallError => APICallError.isInstance(error);

/**
 * Converts an error of a call to a provider to a Problem. Our own Problems stay unchanged. The provider's message is
 * dropped, because it may repeat the text that was sent.
 */
export const providerFailure = (error: unknown, place: Place): unknown => {
  if (error instanceof Problem) return error;
  const thrown = RetryError.isInstance(error) ? error.lastError : error;
  const remote = causeOf(thrown, isRemote);
  if (remote) return remote.remoteCause === 'TIMEOUT' ? tooLate(place) : failed(remote.message);
  if (thrown instanceof Error && /^(TimeoutError|AbortError)$/.test(thrown.name)) return tooLate(place);
  const call = causeOf(thrown, isCall);
  if (call?.statusCode !== undefined && call.statusCode >= 400) return failed(statusWords(call.statusCode, place));
  // The library could not parse the answer.
  if (call || isFromLibrary(thrown)) return failed(t`${place.name} returned an unreadable answer`);
  return thrown;
};

const isFromLibrary = (error: unknown): boolean => error instanceof Error && error.name.startsWith('AI_');
