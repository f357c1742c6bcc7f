import { type DicomJson, itemsOf, numberOf, numbersOf, type Tag, tag } from './dicom-json.ts';

const scales = [tag.PixelSpacing, tag.ImagerPixelSpacing] as const;

/** Distances from the X-ray source, from which the magnification of a radiograph follows. */
const distances = [tag.DistanceSourceToPatient, tag.DistanceSourceToEntrance] as const;

/** Sequences that contain pixel sizes in multi-frame images. */
const sequences = [
  tag.SharedFunctionalGroupsSequence,
  tag.PerFrameFunctionalGroupsSequence,
  tag.PixelMeasuresSequence,
] as const;

/** Whether the numbers are a pixel size: two positive numbers (PS3.3 §10.7.1.3). */
export const isSize = (numbers: readonly number[]): boolean =>
  numbers.length === 2 && numbers.every((millimetres) => millimetres > 0);

const isDistance = (header: DicomJson, attribute: Tag): boolean => (numberOf(header, attribute) ?? 0) > 0;

/**
 * Removes invalid pixel sizes from a header: zero, negative or not two numbers (PS3.3 §10.7.1.3). With an invalid size,
 * the imaging library draws nothing. Without a size, lengths are in pixels. Also removes distances of 0 from the
 * source. Devices write 0 for unknown distances, and the imaging library would divide by 0.
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
