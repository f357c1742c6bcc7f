import { ApiError } from '#core/api.ts';

/** Errors of the server for single fields, by field. */
export const faultsIn = (error: unknown): Record<string, string> => (error instanceof ApiError ? error.fields : {});

/** Checks whether the fields show the error. The form then need not repeat it. */
export const isAtFields = (error: unknown): boolean => Object.keys(faultsIn(error)).length > 0;

/** Focuses the first invalid field in document order. */
export const focusFirstFault = (nodeOf: (field: string) => HTMLElement | null, faults: object): void => {
  const nodes = Object.keys(faults).flatMap((field) => nodeOf(field) ?? []);
  const [first] = nodes.toSorted((one, other) =>
    one.compareDocumentPosition(other) & Node.DOCUMENT_POSITION_FOLLOWING ? -1 : 1,
  );
  first?.focus();
};
