/** Sorts by a text, so that all transactions lock rows in the same order. */
export const sortedByKey = <T>(values: readonly T[], keyOf: (value: T) => string): T[] =>
  values.toSorted((one, other) => (keyOf(one) < keyOf(other) ? -1 : 1));
