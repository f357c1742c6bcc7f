/** The value below which this share (0 to 1) of the values lies. 0 without values. */
export const percentile = (values: readonly number[], share: number): number =>
  values.toSorted((one, other) => one - other)[Math.min(values.length - 1, Math.floor(values.length * share))] ?? 0;

export const median = (values: readonly number[]): number => percentile(values, 0.5);
