import { t } from '@lingui/core/macro';
import { numberOf, tag, textOf } from '#reading/viewer/images/header/dicom-json.ts';
import { type GrayRange, windowText } from '#reading/viewer/images/gray/gray-window.ts';
import { printedUnit } from '#reading/viewer/images/values/pet-unit.ts';
import { presetsFor, type WindowPreset } from '#reading/viewer/images/values/window-presets.ts';
import type { SeriesImage } from '#reading/viewer/images/series/series-loader.ts';
import { suvOf } from '#reading/viewer/images/values/suv.ts';

/** Meaning of PET values: SUV, or the unit of the file with the reasons why there is no SUV. */
export type PetScale = {
  isUptake: boolean;
  /** Unit shown after a value: "SUV", "Bq/ml", "counts". Empty if the file has no unit. */
  unit: string;
  /** Reasons why there is no SUV, one sentence each. Empty if values are SUV. */
  refused: readonly string[];
  presets: readonly WindowPreset[];
};

const ownRange = ({ header }: SeriesImage): GrayRange | undefined => {
  const [center, width] = [numberOf(header, tag.WindowCenter), numberOf(header, tag.WindowWidth)];
  return center === undefined || !width
    ? undefined
    : { lower: Math.max(0, center - width / 2), upper: center + width / 2 };
};

/**
 * Returns the highest possible value of an image according to its header. Scanners scale each slice to use the full
 * range.
 */
const highestOf = ({ header }: SeriesImage): number => {
  const [bits, slope] = [numberOf(header, tag.BitsStored) ?? 0, numberOf(header, tag.RescaleSlope) ?? 1];
  const isSigned = numberOf(header, tag.PixelRepresentation) === 1;
  return (2 ** (isSigned ? bits - 1 : bits) - 1) * slope + (numberOf(header, tag.RescaleIntercept) ?? 0);
};

/** Returns the upper end of the widest window of the images. Without windows, returns the highest value. */
const upperEnd = (images: readonly SeriesImage[], highest: number | undefined): number => {
  const own = images.flatMap((image) => ownRange(image)?.upper ?? []);
  return Math.max(...(own.length > 0 ? own : [highest ?? Math.max(...images.map(highestOf))]), 1);
};

/**
 * Returns the scale of a PET series. Without SUV, window presets are fractions of the widest window of the series,
 * starting at zero. A series without windows uses its `highest` value, once known.
 */
export const petScaleOf = (images: readonly SeriesImage[], highest?: number): PetScale => {
  const [first] = images;
  const header = first?.header ?? {};
  const isPet = textOf(header, tag.Modality) === 'PT';
  const suv = isPet ? suvOf(images.map((image) => image.header)) : { refused: [t`Scintigraphy has no SUV.`] };
  const isUptake = 'factor' in suv;
  const units = textOf(header, tag.Units);
  const numbers = { lower: 0, upper: upperEnd(images, highest) };
  const picture = { modality: 'PT', header: {}, isColor: false, numbers };
  return {
    isUptake,
    unit: isUptake ? 'SUV' : (printedUnit(units) ?? units.toLowerCase()),
    refused: isUptake ? [] : suv.refused,
    presets: presetsFor({ ...picture, isUptake }),
  };
};

/** Returns a sentence which says that values are not SUV, with their unit and the reasons. Empty if values are SUV. */
export const refusalOfSuv = ({ refused, unit }: PetScale): string => {
  const reasons = refused.join(' ');
  if (reasons === '') return '';
  return unit
    ? t`No SUV: ${reasons} Values are in ${unit}.`
    : t`No SUV: ${reasons} Values are in the unit of the file.`;
};

/** Returns the first window of a PET: SUV 0 to 5, or all values if they are not SUV. */
export const firstPetWindow = ({ isUptake, presets }: PetScale): GrayRange =>
  presets[isUptake ? 1 : 0]?.range ?? { lower: 0, upper: 5 };

/**
 * Formats a value. Values in g/ml (SUV by lean body mass) are small and need decimals; counts and activity are large.
 */
const valueText = (value: number, unit: string): string => value.toFixed(unit === 'g/ml' ? 2 : 0);

/** Formats a window, such as "SUV 0.0–5.0", or in the unit of the file. */
export const petWindowText = (range: GrayRange, { isUptake, unit }: PetScale): string =>
  isUptake ? windowText(range, true) : `${valueText(range.lower, unit)}–${valueText(range.upper, unit)} ${unit}`.trim();

/** Formats a value with its unit. */
export const petValueText = (value: number, { isUptake, unit }: PetScale): string =>
  isUptake ? `SUV ${value.toFixed(2)}` : `${valueText(value, unit)} ${unit}`.trim();
