import { ApiError } from '#core/http/api.ts';

/** Errors of the server for single fields, by field. */
export const fieldErrorsOf = (error: unknown): Record<string, string> =>
  error instanceof ApiError ? error.fields : {};

/** Checks whether the fields show the error. The form then need not repeat it. */
export const isShownAtFields = (error: unknown): boolean => Object.keys(fieldErrorsOf(error)).length > 0;

/** Focuses the first invalid field in document order. */
export const focusFirstInvalid = (nodeOf: (field: string) => HTMLElement | null, faults: object): void => {
  const nodes = Object.keys(faults).flatMap((field) => nodeOf(field) ?? []);
  const [first] = nodes.toSorted((one, other) =>
    one.compareDocumentPosition(other) & Node.DOCUMENT_POSITION_FOLLOWING ? -1 : 1,
  );
  first?.focus();
};
