import { ApiError } from '#core/http/api.ts';

/** Returns the server's errors by field. */
export const fieldErrorsOf = (error: unknown): Record<string, string> =>
  error instanceof ApiError ? error.fields : {};

/** Whether all errors are shown next to fields, so that the form need not repeat them. */
export const isShownAtFields = (error: unknown): boolean => Object.keys(fieldErrorsOf(error)).length > 0;

/** Focuses the first invalid field in document order. */
export const focusFirstInvalid = (nodeOf: (field: string) => HTMLElement | null, faults: object): void => {
  const nodes = Object.keys(faults).flatMap((field) => nodeOf(field) ?? []);
  const [first] = nodes.toSorted((one, other) =>
    one.compareDocumentPosition(other) & Node.DOCUMENT_POSITION_FOLLOWING ? -1 : 1,
  );
  first?.focus();
};
