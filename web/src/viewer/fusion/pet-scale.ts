import { numberOf, tag, textOf } from '#viewer/images/dicom-json.ts';
import { type GreyRange, windowText } from '#viewer/images/grey-window.ts';
import { printedUnit } from '#viewer/images/pet-unit.ts';
import { presetsFor, type WindowPreset } from '#viewer/images/presets.ts';
import type { SeriesImage } from '#viewer/images/series-loader.ts';
import { suvOf } from '#viewer/images/suv.ts';

/** What the numbers of a PET mean: uptake, or why not, and then what the file says they are. */
export type PetScale = {
  isUptake: boolean;
  /** As it is printed behind a number: "SUV", "Bq/ml", "counts"; '' where the file names no unit. */
  unit: string;
  /** Why there is no SUV, each reason a sentence; empty where there is. */
  refused: readonly string[];
  presets: readonly WindowPreset[];
};

const ownRange = ({ header }: SeriesImage): GreyRange | undefined => {
  const [center, width] = [numberOf(header, tag.WindowCenter), numberOf(header, tag.WindowWidth)];
  return center === undefined || !width
    ? undefined
    : { lower: Math.max(0, center - width / 2), upper: center + width / 2 };
};

/** The highest number that an image can have, by its header; scanners scale each slice so that it uses them all. */
const highestOf = ({ header }: SeriesImage): number => {
  const [bits, slope] = [numberOf(header, tag.BitsStored) ?? 0, numberOf(header, tag.RescaleSlope) ?? 1];
  const isSigned = numberOf(header, tag.PixelRepresentation) === 1;
  return (2 ** (isSigned ? bits - 1 : bits) - 1) * slope + (numberOf(header, tag.RescaleIntercept) ?? 0);
};

/** The upper end of the widest window that the images bring along; where they bring none, of all their numbers. */
const upperEnd = (images: readonly SeriesImage[], highest: number | undefined): number => {
  const own = images.flatMap((image) => ownRange(image)?.upper ?? []);
  return Math.max(...(own.length > 0 ? own : [highest ?? Math.max(...images.map(highestOf))]), 1);
};

/**
 * The scale of a series of PET. The windows of numbers that are no uptake are shares of the widest one that the series
 * brings along, from zero, or up to its `highest` number, once that is known.
 */
export const petScaleOf = (images: readonly SeriesImage[], highest?: number): PetScale => {
  const [first] = images;
  const header = first?.header ?? {};
  const isPet = textOf(header, tag.Modality) === 'PT';
  const suv = isPet ? suvOf(images.map((image) => image.header)) : { refused: ['Scintigraphy has no SUV.'] };
  const isUptake = 'factor' in suv;
  const units = textOf(header, tag.Units);
  const numbers = { lower: 0, upper: upperEnd(images, highest) };
  const picture = { modality: 'PT', header: {}, isColour: false, numbers };
  return {
    isUptake,
    unit: isUptake ? 'SUV' : (printedUnit(units) ?? units.toLowerCase()),
    refused: isUptake ? [] : suv.refused,
    presets: presetsFor({ ...picture, isUptake }),
  };
};

/** Why no number is called SUV, and what the numbers are instead; '' where they are SUV. */
export const refusalOfSuv = ({ refused, unit }: PetScale): string =>
  refused.length === 0 ? '' : `No SUV: ${refused.join(' ')} Numbers are ${unit || 'in the unit of the file'}.`;

/** The window that a PET opens with: 0 to 5, or all of what is no uptake. */
export const firstPetWindow = ({ isUptake, presets }: PetScale): GreyRange =>
  presets[isUptake ? 1 : 0]?.range ?? { lower: 0, upper: 5 };

/** Uptake by another measure than body weight is as small as SUV; counts and activity are large. */
const written = (value: number, unit: string): string => value.toFixed(unit === 'g/ml' ? 2 : 0);

/** A window as it is read: "SUV 0.0–5.0", or in the unit of the file. */
export const petWindowText = (range: GreyRange, { isUptake, unit }: PetScale): string =>
  isUptake ? windowText(range, true) : `${written(range.lower, unit)}–${written(range.upper, unit)} ${unit}`.trim();

/** A number as it is read. */
export const petValueText = (value: number, { isUptake, unit }: PetScale): string =>
  isUptake ? `SUV ${value.toFixed(2)}` : `${written(value, unit)} ${unit}`.trim();
