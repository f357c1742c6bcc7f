/** Number of pixels sampled to compute a window. More pixels would not change it. */
const samplesForWindow = 1 << 14;
/** Share of values that a computed window leaves out at each end, such as specks of metal or air. */
const leftOut = 0.005;

/**
 * Computes a window for an image without one: all but a few of the lowest and highest values. `valueAt` returns NaN for
 * a pixel that does not count, such as padding. The function is LINEAR_EXACT (PS3.3 §C.11.2.1.3.2). Server and viewer
 * share it, so that an image has the same grays in both.
 */
export const windowOfValues = (
  count: number,
  valueAt: (index: number) => number,
): { center: number; width: number } => {
  const step = Math.max(1, Math.floor(count / samplesForWindow));
  const values: number[] = [];
  for (let index = 0; index < count; index += step) {
    const value = valueAt(index);
    if (Number.isFinite(value)) values.push(value);
  }
  values.sort((one, other) => one - other);
  const lowest = values[Math.floor(values.length * leftOut)] ?? 0;
  const highest = values[Math.ceil(values.length * (1 - leftOut)) - 1] ?? lowest;
  return { center: (lowest + highest) / 2, width: highest - lowest || 1 };
};

/** A range of stored values. Both ends are included. */
export type ValueRange = readonly [lowest: number, highest: number];

/**
 * Returns the range of stored values that mean "no pixel here" (PS3.3 §C.7.5.1.1.2). Some files write -2000 as US, and
 * other files write 63536 as SS. The pixel representation decides which number is meant.
 */
export const paddingRange = (
  value: number,
  limit: number,
  { bitsStored, isSigned }: { bitsStored: number; isSigned: boolean },
): ValueRange => {
  const span = 2 ** bitsStored;
  const valueOfPadding = (padding: number) => {
    const unsigned = ((padding % span) + span) % span;
    return isSigned && unsigned >= span / 2 ? unsigned - span : unsigned;
  };
  const [one, other] = [valueOfPadding(value), valueOfPadding(limit)];
  return [Math.min(one, other), Math.max(one, other)];
};
