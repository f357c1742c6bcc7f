import { type DicomJson, itemsOf, numberOf, numbersOf, tag } from './dicom-json.ts';

/**
 * A header without detectors of nuclear medicine (PS3.3 §C.8.4.11) that do not say where they stand. The imaging library
 * (5.14.0) works out from there where each frame lies as soon as frames have a distance, and throws where that is nowhere:
 * nothing of the image was drawn.
 */
export const withUsableDetector = (header: DicomJson): DicomJson => {
  const [detector] = itemsOf(header, tag.DetectorInformationSequence);
  const isUsable = !detector || numbersOf(detector, tag.ImagePositionPatient).length === 3;
  if (isUsable || !numberOf(header, tag.SpacingBetweenSlices)) return header;
  return Object.fromEntries(
    Object.entries(header).filter(([attribute]) => attribute !== tag.DetectorInformationSequence),
  );
};
