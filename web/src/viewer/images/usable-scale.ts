import { type DicomJson, itemsOf, numberOf, numbersOf, type Tag, tag } from './dicom-json.ts';

const scales = [tag.PixelSpacing, tag.ImagerPixelSpacing] as const;

/** How far from the source of the rays something is: by how much a radiograph is magnified follows from them. */
const distances = [tag.DistanceSourceToPatient, tag.DistanceSourceToEntrance] as const;

/** Where multi-frame images have them. */
const sequences = [
  tag.SharedFunctionalGroupsSequence,
  tag.PerFrameFunctionalGroupsSequence,
  tag.PixelMeasuresSequence,
] as const;

/** Whether numbers are the size of a pixel: two, each larger than nothing (PS3.3 §10.7.1.3). */
export const isSize = (numbers: readonly number[]): boolean =>
  numbers.length === 2 && numbers.every((millimetres) => millimetres > 0);

const isDistance = (header: DicomJson, attribute: Tag): boolean => (numberOf(header, attribute) ?? 0) > 0;

/**
 * A header without sizes of pixels that are none: zero, negative or not two numbers (PS3.3 §10.7.1.3). The imaging library
 * takes them at their word and draws nothing at all; without them it draws pixel by pixel, and lengths are in pixels. The
 * same of distances from the source, of which devices write 0 where they know none: the library divides by them.
 */
export const withUsableScale = (header: DicomJson): DicomJson => {
  const unusable = new Set<string>([
    ...scales.filter((attribute) => !isSize(numbersOf(header, attribute))),
    ...distances.filter((attribute) => !isDistance(header, attribute)),
  ]);
  const rest = Object.entries(header).filter(([attribute]) => !unusable.has(attribute));
  const nested = sequences
    .filter((attribute) => attribute in header)
    .map((attribute) => [attribute, { vr: 'SQ', Value: itemsOf(header, attribute).map(withUsableScale) }] as const);
  return Object.fromEntries([...rest, ...nested]);
};
