/** Returns round numbers between two values, at most `most`, in steps of 1, 2 or 5. */
export const ticksBetween = (lower: number, upper: number, most: number): number[] => {
  const least = (upper - lower) / most;
  if (!(least > 0) || !Number.isFinite(least)) return [];
  const power = 10 ** Math.floor(Math.log10(least));
  const step = [1, 2, 5, 10].map((factor) => factor * power).find((one) => one >= least) ?? 10 * power;
  const first = Math.ceil(lower / step - 1e-9);
  const last = Math.floor(upper / step + 1e-9);
  return Array.from({ length: last - first + 1 }, (_, at) => (first + at) * step);
};

/** Writes the numbers of a scale alike, with the digits that their step needs. */
export const tickTexts = (ticks: readonly number[]): string[] => {
  const [first = 0, second = first + 1] = ticks;
  const largest = Math.max(...ticks.map(Math.abs));
  const digits = Math.max(0, -Math.floor(Math.log10(second - first) + 1e-9));
  const isShort = largest < 1e6 && digits <= 4;
  const places = Math.floor(Math.log10(largest) + 1e-9) - Math.floor(Math.log10(second - first) + 1e-9);
  return ticks.map((tick) => (isShort ? tick.toFixed(digits) : tick.toExponential(Math.max(1, places))));
};
