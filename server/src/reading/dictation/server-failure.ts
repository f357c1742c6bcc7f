import { t } from '@radwork/contract/core/translate';
import { Problem } from '#core/http/problem.ts';
import { RemoteError } from '#core/outgoing/remote-error.ts';

/** The dictation server, as named in messages: host and port, and the time limit in seconds. */
export type Place = { host: string; seconds: number };

const failed = (message: string, status: 502 | 503 | 504 = 502) => new Problem(status, 'dictation.failed', message);

/** 409 and not 503: asking again does not help. */
export const noServer = () =>
  new Problem(409, 'dictation.off', t`Your organization has no dictation server. Ask an administrator to add one.`);

/** Too many phrases of the organization wait for the dictation server. */
export const serverBusy = () => failed(t`The dictation server is busy. Try again in a few seconds.`, 503);

export const tooLate = ({ host, seconds }: Place) =>
  failed(t`The dictation server ${host} did not answer within ${seconds} seconds`, 504);

export const unreadable = ({ host }: Place) => failed(t`The dictation server ${host} returned an unreadable answer`);

/** The recognizer repeated its list of words, as some models do when they hear no speech. */
export const repeatedVocabulary = ({ host }: Place) =>
  failed(t`The dictation server ${host} returned its word list and not your words. Dictate this phrase again.`);

/** Returns the error for an HTTP status of the dictation server. Its message is dropped, because it may repeat text. */
export const statusFailure = (status: number, { host }: Place): Problem => {
  if (status === 401 || status === 403) return failed(t`The dictation server ${host} rejected the API key (${status})`);
  if (status === 404) return failed(t`The dictation server ${host} has no such address or model (404)`);
  if (status === 413) return failed(t`The phrase is too long for the dictation server ${host} (413)`);
  if (status === 429 || status === 503) {
    return failed(t`The dictation server ${host} is busy (${status}). Try again in a few seconds.`, 503);
  }
  if (status >= 500) return failed(t`The dictation server ${host} reported an internal error (${status})`);
  return failed(t`The dictation server ${host} rejected the request (${status}). Check the model and the address.`);
};

/** Converts an error of a call to the dictation server to a Problem. Other errors stay unchanged. */
export const serverFailure = (error: unknown, place: Place): unknown => {
  if (error instanceof RemoteError) {
    return error.remoteCause === 'TIMEOUT' ? tooLate(place) : failed(error.message);
  }
  return error instanceof DOMException && error.name === 'TimeoutError' ? tooLate(place) : error;
};
