import { type DicomJson, itemsOf, numberOf, numbersOf, tag, textsOf } from './dicom-json.ts';

/** Where the first slice of a tomography of nuclear medicine lies and its directions, and how far behind it another one. */
export type TomographySlice = { position: number[]; orientation: number[]; behind: number };

/**
 * A frame (from 1) of a reconstructed tomography of nuclear medicine: its detector says where the first slice lies, the
 * others follow evenly, behind it along its normal where the spacing is positive and before it where it is negative
 * (PS3.3 §C.8.4.11, §C.8.4.15). Undefined for all that is not simply one slice after the other: projections, gates,
 * several detectors.
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
