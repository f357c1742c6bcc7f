import { type LookupTable, valueInTable } from '@radwork/dicom/lookup-table';
import { type ValueRange, windowOfValues } from '@radwork/dicom/value-window';

type Scaling = { rescaleSlope?: number; rescaleIntercept?: number; suvbw?: number; doseGridScaling?: number };

/** Decoded frame as the imaging library passes it, with values after the rescale. */
type Frame = {
  pixelData: ArrayLike<number>;
  smallestPixelValue: number;
  largestPixelValue: number;
  samplesPerPixel?: number | undefined;
  preScale?: { scaled?: boolean; scalingParameters?: Scaling } | undefined;
};

/** Scaling of the values of an image, as the imaging library keeps it. */
type Scaled = Pick<Frame, 'preScale'>;

/** Largest rounding difference of a rescaled value, relative to it: values may be stored with 24 bits. */
const rounding = 2 ** -22;

/** Converts a range of stored values to a range of the values in the frame. */
export const drawnRange = (range: ValueRange, { preScale }: Scaled, table: LookupTable | undefined): ValueRange => {
  const {
    rescaleSlope = 1,
    rescaleIntercept = 0,
    suvbw = 1,
    doseGridScaling,
  } = (preScale?.scaled && preScale.scalingParameters) || {};
  const drawnValue = (stored: number) => {
    if (table) return valueInTable(table, stored);
    return doseGridScaling === undefined
      ? (stored * rescaleSlope + rescaleIntercept) * suvbw
      : stored * doseGridScaling;
  };
  const ends = range.map(drawnValue);
  const [lowest, highest] = [Math.min(...ends), Math.max(...ends)];
  return [lowest - rounding * Math.abs(lowest), highest + rounding * Math.abs(highest)];
};

/** Values of a frame that count: all but padding, colors and values that are no numbers. */
export type CountedValues = {
  min: number;
  max: number;
  /** Computes the window of a frame without one. Undefined for color. */
  window: () => { center: number; width: number } | undefined;
};

/**
 * Returns the values of a frame that count in windows and presets. `uncounted` has ranges of stored values that are no
 * grays: padding (PS3.3 §C.7.5.1.1.2) and colors (§C.7.6.19). `table` is the modality LUT of the image.
 */
export const countedValues = (
  frame: Frame,
  uncounted: readonly ValueRange[] = [],
  table?: LookupTable,
): CountedValues => {
  const { pixelData, smallestPixelValue: smallest, largestPixelValue: largest, samplesPerPixel = 1 } = frame;
  if (samplesPerPixel > 1) return { min: smallest, max: largest, window: () => undefined };
  const isCounted = countedIn(frame, uncounted, table);
  const window = () =>
    windowOfValues(pixelData.length, (index) => {
      const value = pixelData[index] ?? Number.NaN;
      return isCounted(value) ? value : Number.NaN;
    });
  // In most frames, the smallest and the largest value count, so no search is needed.
  if (isCounted(smallest) && isCounted(largest)) return { min: smallest, max: largest, window };
  let [min, max] = [Infinity, -Infinity];
  for (let index = 0; index < pixelData.length; index += 1) {
    const value = pixelData[index] ?? Number.NaN;
    if (!isCounted(value)) continue;
    if (value < min) min = value;
    if (value > max) max = value;
  }
  return min <= max ? { min, max, window } : { min: 0, max: 0, window };
};

/** Returns whether a value of an image counts, after the rescale. */
export const countedIn = (image: Scaled, uncounted: readonly ValueRange[], table: LookupTable | undefined) => {
  const ranges = uncounted.map((range) => drawnRange(range, image, table));
  return (value: number): boolean =>
    Number.isFinite(value) && !ranges.some(([lowest, highest]) => value >= lowest && value <= highest);
};

type Sample = { value: unknown; pointIJK: readonly number[] };

/** Facts about the image of a slice of voxels. */
type Counting = {
  image: Scaled | undefined;
  uncounted: readonly ValueRange[] | undefined;
  table: LookupTable | undefined;
};

/**
 * Wraps the callback for the voxels of a region. Voxels that do not count are left out of its statistics. `countingOf`
 * returns the facts for a slice, from 0.
 */
export const onlyCounted = (
  onSample: ((sample: Sample) => void) | undefined,
  countingOf: (slice: number) => Counting,
) => {
  const bySlice = new Map<number, (value: number) => boolean>();
  return (sample: Sample): void => {
    const slice = sample.pointIJK[2] ?? 0;
    let isCounted = bySlice.get(slice);
    if (!isCounted) {
      const { image, uncounted = [], table } = countingOf(slice);
      isCounted = countedIn(image ?? {}, uncounted, table);
      bySlice.set(slice, isCounted);
    }
    // Colors are lists of numbers.
    if (typeof sample.value !== 'number' || isCounted(sample.value)) onSample?.(sample);
  };
};
