import {
  type DicomJson,
  itemsOf,
  numberOf,
  numbersOf,
  tag,
  textsOf,
} from '#reading/viewer/images/header/dicom-json.ts';

/**
 * Position and orientation of the first slice of a tomography in nuclear medicine. `behind` is the distance from the
 * first slice to the requested slice along the normal, in mm.
 */
export type TomographySlice = { position: number[]; orientation: number[]; behind: number };

/**
 * Returns the slice of a frame (from 1) of a reconstructed tomography in nuclear medicine. The detector gives the
 * position of the first slice. The other slices follow at equal distances along its normal, or against it if the
 * spacing is negative (PS3.3 §C.8.4.11, §C.8.4.15). Undefined unless the frames are a simple series of slices, without
 * projections, gates or several detectors.
 */
export const tomographySlice = (header: DicomJson, frame: number): TomographySlice | undefined => {
  const [detector, ...others] = itemsOf(header, tag.DetectorInformationSequence);
  const count = numberOf(header, tag.NumberOfFrames) ?? 1;
  const spacing = numberOf(header, tag.SpacingBetweenSlices);
  const slices = numbersOf(header, tag.SliceVector);
  const isOneByOne = slices.length === count && slices.every((slice, index) => slice === index + 1);
  const isSlices = textsOf(header, tag.ImageType)[2] === 'RECON TOMO' && count > 1 && isOneByOne;
  if (!detector || others.length > 0 || !isSlices || !spacing) return undefined;
  return {
    position: numbersOf(detector, tag.ImagePositionPatient),
    orientation: numbersOf(detector, tag.ImageOrientationPatient),
    behind: spacing * (frame - 1),
  };
};
