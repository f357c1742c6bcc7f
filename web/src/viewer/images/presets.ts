import { isInHounsfield } from './density-unit.ts';
import { type DicomJson, numberOf, numbersOf, tag, textOf, textsOf } from './dicom-json.ts';
import { type GreyRange, rangeOf } from './grey-window.ts';

/** A window with a name, or the `table` of greys of an image. The n-th of a list answers to key n. */
export type WindowPreset = { label: string; range: GreyRange; table?: string };

const hounsfield = (label: string, width: number, center: number): WindowPreset => ({
  label,
  range: rangeOf({ width, center }),
});

const computedTomography = [
  hounsfield('Soft tissue', 400, 40),
  hounsfield('Lung', 1500, -600),
  hounsfield('Bone', 2000, 500),
  hounsfield('Brain', 80, 40),
  hounsfield('Subdural', 200, 75),
  hounsfield('Stroke', 40, 40),
  hounsfield('Liver', 150, 90),
  hounsfield('Angiography', 700, 250),
  hounsfield('Wide', 4000, 500),
];

const isGrey = (header: DicomJson): boolean =>
  (numberOf(header, tag.SamplesPerPixel) ?? 1) === 1 &&
  textOf(header, tag.PhotometricInterpretation) !== 'PALETTE COLOR';

/** One of the usual windows of CT by its name, for an image whose numbers it is meant for. */
export const hounsfieldWindow = (name: string | undefined, header: DicomJson): GreyRange | undefined =>
  isGrey(header) && isInHounsfield(header) ? computedTomography.find(({ label }) => label === name)?.range : undefined;

/** Uptake is read from zero. */
const uptake = [2.5, 5, 7, 10, 15, 20].map((upper) => ({ label: `SUV 0–${upper}`, range: { lower: 0, upper } }));

/** Shares of a picture's own range, for modalities whose numbers have no fixed meaning. */
const shares = [
  { label: 'Full range', from: 0, to: 1 },
  { label: 'Bright', from: 0, to: 0.7 },
  { label: 'Brighter', from: 0, to: 0.5 },
  { label: 'Dark', from: 0.2, to: 1 },
  { label: 'Soft', from: -0.3, to: 1.3 },
];

const sharesOf = ({ lower, upper }: GreyRange): WindowPreset[] =>
  shares.map(({ label, from, to }) => ({
    label,
    range: { lower: lower + (upper - lower) * from, upper: lower + (upper - lower) * to },
  }));

/** The windows that an image brings along, with the names that its scanner gave them, each another one. */
const ownWindows = (header: DicomJson): WindowPreset[] => {
  const widths = numbersOf(header, tag.WindowWidth);
  const names = textsOf(header, tag.WindowCenterWidthExplanation);
  const own: WindowPreset[] = [];
  for (const [index, center] of numbersOf(header, tag.WindowCenter).entries()) {
    const width = widths[index];
    if (!width || width < 0) continue;
    const name = names[index] || (index === 0 ? 'As acquired' : `As acquired ${index + 1}`);
    own.push({
      label: notIn(own, sentenceCase(name)),
      range: rangeOf({ width, center }, textOf(header, tag.VOILUTFunction)),
    });
  }
  return own;
};

/** A name, or where that is taken the first free one with a number: a window is chosen by its name. */
const notIn = (taken: readonly WindowPreset[], name: string): string => {
  const isTaken = (wanted: string) => taken.some(({ label }) => label === wanted);
  if (!isTaken(name)) return name;
  let number = 2;
  while (isTaken(`${name} ${number}`)) number += 1;
  return `${name} ${number}`;
};

/** Scanners shout ("SOFT TISSUE"); what is long enough to be words is taken down, codes stay. */
const sentenceCase = (name: string): string =>
  /[a-z]/.test(name) || name.length < 4 ? name : name.charAt(0) + name.slice(1).toLowerCase();

export type Picture = {
  modality: string;
  header: DicomJson;
  /** Whether its numbers are standardized uptake values. */
  isUptake: boolean;
  isColour: boolean;
  /** From its lowest number to its highest. */
  numbers: GreyRange;
  /** The names of the tables of greys that it brings. */
  tables?: readonly string[];
};

/** The windows to offer for a picture, at most nine, its own first. Colours are a finding and are not windowed. */
export const presetsFor = ({ modality, header, isUptake, isColour, numbers, tables = [] }: Picture): WindowPreset[] => {
  if (isColour) return [];
  if (isUptake) return uptake;
  const own = [...ownWindows(header), ...tables.map((table) => ({ label: `VOI LUT ${table}`, range: numbers, table }))];
  const usual = modality === 'CT' && isInHounsfield(header) ? computedTomography : sharesOf(numbers);
  return [...own, ...usual.filter(({ label }) => !own.some((one) => one.label === label))].slice(0, 9);
};
