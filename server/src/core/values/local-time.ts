/** Formats a time without a time zone as in the contract. Files may contain fractions of a second. */
export const localTime = (time: string | null): string | null =>
  time === null || time.startsWith('0001-01-01') ? null : time.slice(0, 19);
