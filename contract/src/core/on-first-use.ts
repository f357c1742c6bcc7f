/**
 * Returns a function that makes a value on the first call and returns the same value on every later call. For tables
 * and patterns that take milliseconds to make: without this, each start of the server and each page load waits for them.
 */
export const onFirstUse = <Value>(make: () => Value): (() => Value) => {
  let made: { value: Value } | undefined;
  return () => (made ??= { value: make() }).value;
};
