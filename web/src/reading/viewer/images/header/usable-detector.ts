import { type DicomJson, itemsOf, numberOf, numbersOf, tag } from './dicom-json.ts';

/**
 * Removes detectors without a position from a header in nuclear medicine (PS3.3 §C.8.4.11). If the frames have a
 * spacing, the imaging library (5.14.0) computes positions from the detector. If the detector has no position, the
 * library throws and draws nothing.
 */
export const withUsableDetector = (header: DicomJson): DicomJson => {
  const [detector] = itemsOf(header, tag.DetectorInformationSequence);
  const isUsable = !detector || numbersOf(detector, tag.ImagePositionPatient).length === 3;
  if (isUsable || !numberOf(header, tag.SpacingBetweenSlices)) return header;
  return Object.fromEntries(
    Object.entries(header).filter(([attribute]) => attribute !== tag.DetectorInformationSequence),
  );
};
