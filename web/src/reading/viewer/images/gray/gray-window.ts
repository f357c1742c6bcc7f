import { curveOf } from '#reading/viewer/images/header/usable-window.ts';

/** Window as in DICOM (PS3.3 §C.11.2.1.2): width and center, in values of the image. */
export type GrayWindow = { width: number; center: number };

/** Range of a window. `lower` and below are black; `upper` and above are white. */
export type GrayRange = { lower: number; upper: number };

/**
 * Converts a window to a range. The range is 1 narrower than the width (PS3.3 §C.11.2.1.2.1): 400/40 is -160 to 239.
 * With LINEAR_EXACT, or with a width below 1, it has the same width.
 */
export const rangeOf = ({ width, center }: GrayWindow, curve = ''): GrayRange => {
  const missing = curveOf(curve, width) === 'LINEAR_EXACT' ? 0 : 1;
  return { lower: center - missing / 2 - (width - missing) / 2, upper: center - missing / 2 + (width - missing) / 2 };
};

/** Converts a range back to its window. */
export const windowOf = ({ lower, upper }: GrayRange): GrayWindow => ({
  width: upper - lower + 1,
  center: (upper + lower + 1) / 2,
});

/** Width below which windows of fractional values are shown with significant digits. */
const narrow = 10;

/** Rounds to three significant digits of the width. */
const fine = (value: number, width: number): string => {
  const places = 10 ** Math.max(0, 2 - Math.floor(Math.log10(width)));
  return String(Math.round(value * places) / places);
};

/**
 * Formats the window of an image: as a range for uptake, else as width and level in whole numbers. Narrow windows of
 * fractional values keep their decimals (PS3.3 §C.11.2.1.3.2).
 */
export const windowText = (range: GrayRange, isUptake: boolean, hasFractions = false): string => {
  if (isUptake) return `SUV ${range.lower.toFixed(1)}–${range.upper.toFixed(1)}`;
  const extent = range.upper - range.lower;
  if (hasFractions && extent > 0 && extent < narrow) {
    return `W ${fine(extent, extent)}  L ${fine((range.upper + range.lower) / 2, extent)}`;
  }
  const { width, center } = windowOf(range);
  return `W ${Math.round(width)}  L ${Math.round(center)}`;
};
