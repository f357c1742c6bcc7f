import { valueInTable } from '@radwork/dicom/lookup-table';
import { windowOfValues } from '@radwork/dicom/value-window';
import { borrowBuffer } from '#core/resources/buffer-pool.ts';
import type { Appearance, PixelFormat, Window } from '#imaging/archive/pixels/pixel-format.ts';
import { type CodedSamples, codedSamplesOf, type Samples, samplesOf } from './pixel-samples.ts';

/** Number of codes. A table with fewer codes is filled faster than the codes in the image are found. */
const shortTable = 1 << 12;

/**
 * Converts stored values to gray bytes (PS3.4 §N.2) through modality values and a window or table. Inverts MONOCHROME1,
 * in which the lowest value is white. The returned buffer may be lent by the pool. Throws NotRenderable for a truncated
 * frame.
 */
export const grayValuesOf = (pixels: Uint8Array, format: PixelFormat, appearance: Appearance): Uint8Array => {
  const coded = codedSamplesOf(pixels, format);
  if (coded) {
    const { cells, shift, mask, valueOf } = coded;
    const grayOf = graysFor(
      cells.length,
      (index) => valueOf(((cells[index] ?? 0) >> shift) & mask),
      format,
      appearance,
    );
    return byTable(coded, tableOf(coded, grayOf));
  }
  const samples = samplesOf(pixels, format);
  return oneByOne(
    samples,
    graysFor(samples.length, (index) => samples[index] ?? 0, format, appearance),
  );
};

/** Returns the gray of each stored value. `at` reads the stored values of the image. */
const graysFor = (count: number, at: Transform, format: PixelFormat, appearance: Appearance): Transform => {
  const modality = modalityOf(appearance);
  const grayValue = seenOf(count, at, format, appearance, modality);
  const isInverted = format.photometricInterpretation === 'MONOCHROME1';
  return (stored) => {
    const gray = Math.round(255 * grayValue(modality(stored)));
    return isInverted ? 255 - gray : gray;
  };
};

type Transform = (value: number) => number;

const modalityOf = ({ modalityLut, slope, intercept }: Appearance): Transform =>
  modalityLut ? (stored) => valueInTable(modalityLut, stored) : (stored) => stored * slope + intercept;

/** Maps a modality value to brightness, from 0 (black) to 1 (white). */
const seenOf = (
  count: number,
  at: Transform,
  format: PixelFormat,
  appearance: Appearance,
  modality: Transform,
): Transform => {
  const { voiLut, window } = appearance;
  if (window) return windowed(window);
  if (voiLut) return (value) => valueInTable(voiLut, value) / (2 ** voiLut.bits - 1);
  if (format.bitsStored === 1) return (value) => (value > 0 ? 1 : 0);
  return windowed(windowFor(count, at, appearance, modality));
};

/** Formulas of PS3.3 §C.11.2.1.2 and §C.11.2.1.3. */
const windowed = ({ center, width, shape }: Window): Transform => {
  if (shape === 'sigmoid') return (value) => 1 / (1 + Math.exp((-4 * (value - center)) / width));
  const [middle, extent] = shape === 'linear' ? [center - 0.5, width - 1] : [center, width];
  if (extent <= 0) return (value) => (value > middle ? 1 : 0);
  return (value) => Math.min(Math.max((value - middle) / extent + 0.5, 0), 1);
};

/** Computes a window for an image without a window, from all its values except padding and colors. */
const windowFor = (count: number, at: Transform, appearance: Appearance, modality: Transform): Window => {
  const { padding, firstColor = Infinity } = appearance;
  const valueAt = (index: number) => {
    const stored = at(index);
    const isPadding = padding !== undefined && stored >= padding[0] && stored <= padding[1];
    return isPadding || stored >= firstColor ? Number.NaN : modality(stored);
  };
  return { ...windowOfValues(count, valueAt), shape: 'linear-exact' };
};

const oneByOne = (samples: Samples, grayOf: Transform): Uint8Array => {
  const grays = new Uint8Array(samples.length);
  for (let index = 0; index < samples.length; index += 1) grays[index] = grayOf(samples[index] ?? 0);
  return grays;
};

/** Returns the gray of each code. In a long table, only the codes in the image are filled. */
const tableOf = (coded: CodedSamples, grayOf: Transform): Uint8Array => {
  const { mask, valueOf } = coded;
  const table = new Uint8Array(mask + 1);
  const usedCodes = mask < shortTable ? new Uint8Array(mask + 1).fill(1) : codesIn(coded);
  for (let code = 0; code <= mask; code += 1) if (usedCodes[code]) table[code] = grayOf(valueOf(code));
  return table;
};

/** Maps codes to grays. The loops stay small, because a new process runs them before the engine has compiled them. */
const byTable = ({ cells, shift, mask }: CodedSamples, table: Uint8Array): Uint8Array => {
  const grays = borrowBuffer(cells.length);
  for (let index = 0; index < cells.length; index += 1)
    grays[index] = table[((cells[index] ?? 0) >> shift) & mask] ?? 0;
  return grays;
};

/** Returns 1 for each code that occurs in the image. */
const codesIn = ({ cells, shift, mask }: CodedSamples): Uint8Array => {
  const codes = new Uint8Array(mask + 1);
  for (let index = 0; index < cells.length; index += 1) codes[((cells[index] ?? 0) >> shift) & mask] = 1;
  return codes;
};
