import { type DicomJson, itemsOf, numbersOf, type Tag, tag } from './dicom-json.ts';

const scales = [tag.PixelSpacing, tag.ImagerPixelSpacing] as const;

/** Where multi-frame images have them. */
const sequences = [
  tag.SharedFunctionalGroupsSequence,
  tag.PerFrameFunctionalGroupsSequence,
  tag.PixelMeasuresSequence,
] as const;

const isUsable = (header: DicomJson, attribute: Tag): boolean => {
  const numbers = numbersOf(header, attribute);
  return numbers.length === 2 && numbers.every((millimetres) => millimetres > 0);
};

/**
 * A header without sizes of pixels that are none: zero, negative or not two numbers (PS3.3 §10.7.1.3). The imaging library
 * takes them at their word and draws nothing at all; without them it draws pixel by pixel, and lengths are in pixels.
 */
export const withUsableScale = (header: DicomJson): DicomJson => {
  const unusable = new Set<string>(scales.filter((attribute) => !isUsable(header, attribute)));
  const rest = Object.entries(header).filter(([attribute]) => !unusable.has(attribute));
  const nested = sequences
    .filter((attribute) => attribute in header)
    .map((attribute) => [attribute, { vr: 'SQ', Value: itemsOf(header, attribute).map(withUsableScale) }] as const);
  return Object.fromEntries([...rest, ...nested]);
};
