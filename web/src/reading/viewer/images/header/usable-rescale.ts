import { type DicomJson, itemsOf, numberOf, tag } from './dicom-json.ts';

/** Sequences that contain the rescale of multi-frame images. */
const sequences = [
  tag.SharedFunctionalGroupsSequence,
  tag.PerFrameFunctionalGroupsSequence,
  tag.PixelValueTransformationSequence,
] as const;

/** Stored values have no known unit (PS3.3 §C.11.1.1.2). */
const asStored: DicomJson = {
  [tag.RescaleSlope]: { vr: 'DS', Value: [1] },
  [tag.RescaleIntercept]: { vr: 'DS', Value: [0] },
  [tag.RescaleType]: { vr: 'LO', Value: ['US'] },
};

const isUnusable = (header: DicomJson): boolean =>
  numberOf(header, tag.RescaleSlope) === 0 || sequences.some((sequence) => itemsOf(header, sequence).some(isUnusable));

/**
 * Removes a rescale whose slope is 0. It would turn all values into one (PS3.3 §C.11.1.1.2), so that the image is a
 * uniform gray. The stored values remain, without a unit. The server and dcmtk read such an image in the same way.
 */
export const withUsableRescale = (header: DicomJson): DicomJson => {
  if (!isUnusable(header)) return header;
  const nested = sequences
    .filter((sequence) => sequence in header)
    .map((sequence) => [sequence, { vr: 'SQ', Value: itemsOf(header, sequence).map(withUsableRescale) }] as const);
  return {
    ...header,
    ...(numberOf(header, tag.RescaleSlope) === 0 && asStored),
    ...Object.fromEntries(nested),
  };
};
