import type { Appearance, LookupTable, PixelFormat, Window } from './picture.ts';
import type { Samples } from './samples.ts';

/** A table is made for the values of an image when there are no more of them than 16 bits can tell apart. */
const longestTable = 1 << 16;
/** As many pixels are looked at to find a window; more would not change it. */
const samplesForWindow = 1 << 14;
/** What a made window leaves out at either end: specks of metal and air. */
const leftOut = 0.005;

/**
 * Stored values as greys of one byte (PS3.4 §N.2): through modality and window or table, and turned round for
 * MONOCHROME1, in which the lowest value is white.
 */
export const greysOf = (samples: Samples, format: PixelFormat, appearance: Appearance): Uint8Array => {
  const modality = modalityOf(appearance);
  const seen = seenOf(samples, format, appearance, modality);
  const isInverted = format.photometricInterpretation === 'MONOCHROME1';
  const greyOf = (stored: number): number => {
    const grey = Math.round(255 * seen(modality(stored)));
    return isInverted ? 255 - grey : grey;
  };
  return format.isFloat ? oneByOne(samples, greyOf) : byTable(samples, greyOf);
};

type Transform = (value: number) => number;

const modalityOf = ({ modalityLut, slope, intercept }: Appearance): Transform =>
  modalityLut ? (stored) => valueAt(modalityLut, stored) : (stored) => stored * slope + intercept;

/** What of a modality value is seen: from 0, black, to 1, white. */
const seenOf = (samples: Samples, format: PixelFormat, appearance: Appearance, modality: Transform): Transform => {
  const { voiLut, window } = appearance;
  if (window) return windowed(window);
  if (voiLut) return (value) => valueAt(voiLut, value) / (2 ** voiLut.bits - 1);
  if (format.bitsStored === 1) return (value) => (value > 0 ? 1 : 0);
  return windowed(windowFor(samples, appearance, modality));
};

const valueAt = ({ first, values }: LookupTable, value: number): number =>
  values[Math.min(Math.max(Math.trunc(value) - first, 0), values.length - 1)] ?? 0;

/** The formulas of PS3.3 §C.11.2.1.2 and §C.11.2.1.3. */
const windowed = ({ center, width, shape }: Window): Transform => {
  if (shape === 'sigmoid') return (value) => 1 / (1 + Math.exp((-4 * (value - center)) / width));
  const [middle, extent] = shape === 'linear' ? [center - 0.5, width - 1] : [center, width];
  if (extent <= 0) return (value) => (value > middle ? 1 : 0);
  return (value) => Math.min(Math.max((value - middle) / extent + 0.5, 0), 1);
};

/** A window for an image that brings none: it shows all but the few lowest and highest values. */
const windowFor = (samples: Samples, { padding }: Appearance, modality: Transform): Window => {
  const step = Math.max(1, Math.floor(samples.length / samplesForWindow));
  const values: number[] = [];
  for (let index = 0; index < samples.length; index += step) {
    const stored = samples[index] ?? 0;
    const isPadding = padding !== undefined && stored >= padding[0] && stored <= padding[1];
    if (!isPadding && Number.isFinite(stored)) values.push(modality(stored));
  }
  values.sort((one, other) => one - other);
  const lowest = values[Math.floor(values.length * leftOut)] ?? 0;
  const highest = values[Math.ceil(values.length * (1 - leftOut)) - 1] ?? lowest;
  return { center: (lowest + highest) / 2, width: highest - lowest || 1, shape: 'linear-exact' };
};

const oneByOne = (samples: Samples, greyOf: Transform): Uint8Array => {
  const greys = new Uint8Array(samples.length);
  for (let index = 0; index < samples.length; index += 1) greys[index] = greyOf(samples[index] ?? 0);
  return greys;
};

const byTable = (samples: Samples, greyOf: Transform): Uint8Array => {
  const [lowest, highest] = extremesOf(samples);
  if (highest - lowest >= longestTable || samples.length < highest - lowest) return oneByOne(samples, greyOf);
  const table = new Uint8Array(highest - lowest + 1);
  for (let index = 0; index < table.length; index += 1) table[index] = greyOf(lowest + index);
  const greys = new Uint8Array(samples.length);
  for (let index = 0; index < samples.length; index += 1) greys[index] = table[(samples[index] ?? 0) - lowest] ?? 0;
  return greys;
};

const extremesOf = (samples: Samples): [lowest: number, highest: number] => {
  let lowest = samples[0] ?? 0;
  let highest = lowest;
  for (let index = 1; index < samples.length; index += 1) {
    const value = samples[index] ?? 0;
    if (value < lowest) lowest = value;
    else if (value > highest) highest = value;
  }
  return [lowest, highest];
};
