import { t } from '@lingui/core/macro';
import { type HangingWindow, hangingWindows } from '@radwork/contract/reading/hanging-rules';
import { isInHounsfield } from './density-unit.ts';
import { type DicomJson, numberOf, numbersOf, tag, textOf, textsOf } from '#reading/viewer/images/header/dicom-json.ts';
import { type GrayRange, rangeOf } from '#reading/viewer/images/gray/gray-window.ts';

/** Named window, or the VOI LUT `table` of an image. The digit key n selects the n-th preset of a list. */
export type WindowPreset = { label: string; range: GrayRange; table?: string };

const hounsfield = (label: string, width: number, center: number): WindowPreset => ({
  label,
  range: rangeOf({ width, center }),
});

/** Windows of CT that hanging protocols and rules name. */
const byName: Record<HangingWindow, WindowPreset> = {
  'Soft tissue': hounsfield(t`Soft tissue`, 400, 40),
  Lung: hounsfield(t`Lung`, 1500, -600),
  Bone: hounsfield(t`Bone`, 2000, 500),
  Brain: hounsfield(t`Brain`, 80, 40),
  Subdural: hounsfield(t`Subdural`, 200, 75),
  Stroke: hounsfield(t`Stroke`, 40, 40),
  Liver: hounsfield(t`Liver`, 150, 90),
  Angiography: hounsfield(t`Angiography`, 700, 250),
  Wide: hounsfield(t`Wide`, 4000, 500),
};

/** Label of a window on screens. */
export const windowLabel = (name: HangingWindow): string => byName[name].label;

const computedTomography = hangingWindows.map((name) => byName[name]);

const isGray = (header: DicomJson): boolean =>
  (numberOf(header, tag.SamplesPerPixel) ?? 1) === 1 &&
  textOf(header, tag.PhotometricInterpretation) !== 'PALETTE COLOR';

/** Returns a default CT window by name, if the image is in Hounsfield units. */
export const hounsfieldWindow = (name: HangingWindow | undefined, header: DicomJson): GrayRange | undefined =>
  name !== undefined && isGray(header) && isInHounsfield(header) ? byName[name].range : undefined;

/** Windows for uptake start at zero. */
const uptake = [2.5, 5, 7, 10, 15, 20].map((upper) => ({ label: t`SUV 0–${upper}`, range: { lower: 0, upper } }));

/** Windows as fractions of the value range of an image, for modalities whose values have no standard scale. */
const shares = [
  { label: t`Full range`, from: 0, to: 1 },
  { label: t`Bright`, from: 0, to: 0.7 },
  { label: t`Brighter`, from: 0, to: 0.5 },
  { label: t`Dark`, from: 0.2, to: 1 },
  { label: t`Soft`, from: -0.3, to: 1.3 },
];

const sharesOf = ({ lower, upper }: GrayRange): WindowPreset[] =>
  shares.map(({ label, from, to }) => ({
    label,
    range: { lower: lower + (upper - lower) * from, upper: lower + (upper - lower) * to },
  }));

/** Returns the windows in the header of an image. The names come from the scanner and are made unique. */
const ownWindows = (header: DicomJson): WindowPreset[] => {
  const widths = numbersOf(header, tag.WindowWidth);
  const names = textsOf(header, tag.WindowCenterWidthExplanation);
  const own: WindowPreset[] = [];
  for (const [index, center] of numbersOf(header, tag.WindowCenter).entries()) {
    const width = widths[index];
    if (!width || width < 0) continue;
    const number = index + 1;
    const name = names[index] || (index === 0 ? t`As acquired` : t`As acquired ${number}`);
    own.push({
      label: notIn(own, sentenceCase(name)),
      range: rangeOf({ width, center }, textOf(header, tag.VOILUTFunction)),
    });
  }
  return own;
};

/** Appends a number to a name that is already taken, because windows are selected by name. */
const notIn = (presets: readonly WindowPreset[], name: string): string => {
  const isTaken = (candidate: string) => presets.some(({ label }) => label === candidate);
  if (!isTaken(name)) return name;
  let number = 2;
  while (isTaken(`${name} ${number}`)) number += 1;
  return `${name} ${number}`;
};

/** Converts a name in upper case ("SOFT TISSUE") to sentence case. Short codes stay unchanged. */
const sentenceCase = (name: string): string =>
  /[a-z]/.test(name) || name.length < 4 ? name : name.charAt(0) + name.slice(1).toLowerCase();

export type Picture = {
  modality: string;
  header: DicomJson;
  /** Whether the image values are SUV. */
  isUptake: boolean;
  isColor: boolean;
  /** Lowest and highest value of the image. */
  numbers: GrayRange;
  /** Names of the VOI LUTs of the image. */
  tables?: readonly string[];
};

/**
 * Returns the windows to offer for an image, at most nine, those of its header first. SUV images get only SUV windows.
 * Color images get none, because their colors carry meaning.
 */
export const presetsFor = ({ modality, header, isUptake, isColor, numbers, tables = [] }: Picture): WindowPreset[] => {
  if (isColor) return [];
  if (isUptake) return uptake;
  const own = [...ownWindows(header), ...tables.map((table) => ({ label: `VOI LUT ${table}`, range: numbers, table }))];
  const usual = modality === 'CT' && isInHounsfield(header) ? computedTomography : sharesOf(numbers);
  return [...own, ...usual.filter(({ label }) => !own.some((one) => one.label === label))].slice(0, 9);
};
