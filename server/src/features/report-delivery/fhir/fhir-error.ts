import { RemoteError } from '#core/outgoing/remote-error.ts';

/** Why a FHIR server did not take a report, in words. What may pass is worth trying again. */
export class FhirError extends Error {
  readonly mayPass: boolean;

  constructor(message: string, mayPass: boolean) {
    super(message);
    this.mayPass = mayPass;
  }
}

const passing = new Set(['DNS', 'CONNECTION_REFUSED', 'TIMEOUT', 'SERVER_ERROR', 'OTHER']);

/** An error of the network as a FhirError; any other is answered as it is. */
export const asFhirError = (error: unknown): unknown =>
  error instanceof RemoteError ? new FhirError(error.message, passing.has(error.remoteCause)) : error;

const mayPassStatuses = new Set([408, 425, 429]);

const wordsFor: Record<number, string> = {
  401: 'The FHIR server does not accept how we sign in (401)',
  403: 'The FHIR server knows us and does not allow this (403)',
  404: 'There is no FHIR server at this address (404)',
  412: 'The FHIR server has several resources of the same identifier (412)',
  422: 'The FHIR server does not accept the report (422)',
  429: 'The FHIR server is asked too often (429)',
};

/** Hides what nobody may read in words that somebody else wrote. */
export type Hide = (words: string) => string;

/** What a status says, with the server's own words where it has some. */
export const refusalOf = (status: number, answer: unknown, hide: Hide): FhirError => {
  const known = wordsFor[status] ?? `The FHIR server answers with an error (${status})`;
  const told = outcomeWords(answer, hide);
  return new FhirError(told ? `${known}: ${told}` : `${known}.`, status >= 500 || mayPassStatuses.has(status));
};

const longest = 500;

/** What an OperationOutcome says, bounded, without control characters and without our secrets: somebody else wrote it. */
export const outcomeWords = (answer: unknown, hide: Hide): string => {
  if (fieldOf(answer, 'resourceType') !== 'OperationOutcome') return '';
  const issues = fieldOf(answer, 'issue');
  const words = (Array.isArray(issues) ? issues : []).map((issue: unknown) =>
    [fieldOf(issue, 'diagnostics'), fieldOf(fieldOf(issue, 'details'), 'text'), fieldOf(issue, 'code')].find(isWords),
  );
  const told = words.filter(isWords).join('; ');
  // Hidden before it is cut, or half a secret would stay.
  return hide(told)
    .replaceAll(/\p{Cc}+/gu, ' ')
    .slice(0, longest);
};

const isWords = (value: unknown): value is string => typeof value === 'string' && value.trim() !== '';

/** A property of what somebody else has sent; undefined where there is none. */
export const fieldOf = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, name) ? Reflect.get(value, name) : undefined;

/** The same, where it is a text; empty where it is none. */
export const textIn = (value: unknown, name: string): string => {
  const text = fieldOf(value, name);
  return typeof text === 'string' ? text : '';
};
