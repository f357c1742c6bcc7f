import { RemoteError } from '#core/outgoing/remote-error.ts';

/** Why a FHIR server refused a report. `mayPass`: a retry may succeed. */
export class FhirError extends Error {
  readonly mayPass: boolean;

  constructor(message: string, mayPass: boolean) {
    super(message);
    this.mayPass = mayPass;
  }
}

const passing = new Set(['DNS', 'CONNECTION_REFUSED', 'TIMEOUT', 'SERVER_ERROR', 'OTHER']);

/** Converts a network error to a FhirError. Returns other errors unchanged. */
export const asFhirError = (error: unknown): unknown =>
  error instanceof RemoteError ? new FhirError(error.message, passing.has(error.remoteCause)) : error;

const mayPassStatuses = new Set([408, 425, 429]);

const wordsFor: Record<number, string> = {
  401: 'The FHIR server rejected the credentials (401)',
  403: 'The FHIR server denied access (403)',
  404: 'No FHIR server was found at this address (404)',
  412: 'The FHIR server has several resources with the same identifier (412)',
  422: 'The FHIR server rejected the report (422)',
  429: 'The FHIR server received too many requests (429)',
};

/** Hides secrets in text from another system. */
export type Hide = (words: string) => string;

/** Describes a status. Adds the message of the server, if there is one. */
export const refusalOf = (status: number, answer: unknown, hide: Hide): FhirError => {
  const known = wordsFor[status] ?? `The FHIR server returned an error (${status})`;
  const detail = outcomeText(answer, hide);
  return new FhirError(detail ? `${known}: ${detail}` : `${known}.`, status >= 500 || mayPassStatuses.has(status));
};

const longest = 500;

/** Returns the message of an OperationOutcome, shortened and without control characters and our secrets. */
export const outcomeText = (answer: unknown, hide: Hide): string => {
  if (fieldOf(answer, 'resourceType') !== 'OperationOutcome') return '';
  const issues = fieldOf(answer, 'issue');
  const words = (Array.isArray(issues) ? issues : []).map((issue: unknown) =>
    [fieldOf(issue, 'diagnostics'), fieldOf(fieldOf(issue, 'details'), 'text'), fieldOf(issue, 'code')].find(isWords),
  );
  const detail = words.filter(isWords).join('; ');
  // Secrets are hidden before the text is cut. Otherwise half of a secret could remain.
  return hide(detail)
    .replaceAll(/\p{Cc}+/gu, ' ')
    .slice(0, longest);
};

const isWords = (value: unknown): value is string => typeof value === 'string' && value.trim() !== '';

/** Returns a property of untrusted data. Undefined if missing. */
export const fieldOf = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, name) ? Reflect.get(value, name) : undefined;

/** Returns a text property of untrusted data. Empty if missing. */
export const textIn = (value: unknown, name: string): string => {
  const text = fieldOf(value, name);
  return typeof text === 'string' ? text : '';
};
