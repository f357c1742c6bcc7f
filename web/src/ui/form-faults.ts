import { ApiError } from '#core/api.ts';

/** What the server found wrong with single fields, by field. */
export const faultsIn = (error: unknown): Record<string, string> => (error instanceof ApiError ? error.fields : {});

/** Whether a refusal is told at the fields, so that the form need not repeat it. */
export const isAtFields = (error: unknown): boolean => Object.keys(faultsIn(error)).length > 0;

/** Leads to the first of the fields that something is wrong with, in the order in which they stand. */
export const focusFirstFault = (nodeOf: (field: string) => HTMLElement | null, faults: object): void => {
  const nodes = Object.keys(faults).flatMap((field) => nodeOf(field) ?? []);
  const [first] = nodes.toSorted((one, other) =>
    one.compareDocumentPosition(other) & Node.DOCUMENT_POSITION_FOLLOWING ? -1 : 1,
  );
  first?.focus();
};
