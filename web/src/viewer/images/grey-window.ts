import { curveOf } from './usable-window.ts';

/** A window as DICOM writes it (PS3.3 §C.11.2.1.2): its width and its centre, in the numbers of the picture. */
export type GreyWindow = { width: number; center: number };

/** The numbers a window spans: `lower` and all below are black, `upper` and all above are white. */
export type GreyRange = { lower: number; upper: number };

/**
 * The range of a window. The half and the missing 1 are those of PS3.3 §C.11.2.1.2.1: 400/40 spans -160 to 239. Where the file
 * names LINEAR_EXACT, or the window is narrower than 1, nothing is missing.
 */
export const rangeOf = ({ width, center }: GreyWindow, curve = ''): GreyRange => {
  const missing = curveOf(curve, width) === 'LINEAR_EXACT' ? 0 : 1;
  return { lower: center - missing / 2 - (width - missing) / 2, upper: center - missing / 2 + (width - missing) / 2 };
};

/** The window of a range, the other way round. */
export const windowOf = ({ lower, upper }: GreyRange): GreyWindow => ({
  width: upper - lower + 1,
  center: (upper + lower + 1) / 2,
});

/** Windows narrower than this are told with the digits that count, where numbers are fractions. */
const narrow = 10;

/** Three digits that count. */
const fine = (value: number, width: number): string => {
  const places = 10 ** Math.max(0, 2 - Math.floor(Math.log10(width)));
  return String(Math.round(value * places) / places);
};

/**
 * The window that a picture is shown with. Uptake is read as a range, all else as width and level: whole, but for narrow ones
 * of a picture of fractions, of which nothing is missing (PS3.3 §C.11.2.1.3.2).
 */
export const windowText = (range: GreyRange, isUptake: boolean, hasFractions = false): string => {
  if (isUptake) return `SUV ${range.lower.toFixed(1)}–${range.upper.toFixed(1)}`;
  const extent = range.upper - range.lower;
  if (hasFractions && extent > 0 && extent < narrow) {
    return `W ${fine(extent, extent)}  L ${fine((range.upper + range.lower) / 2, extent)}`;
  }
  const { width, center } = windowOf(range);
  return `W ${Math.round(width)}  L ${Math.round(center)}`;
};
