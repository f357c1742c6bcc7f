import { t } from '@lingui/core/macro';
import { type DicomJson, tag, textOf } from '#reading/viewer/images/header/dicom-json.ts';

/** Modalities whose images usually contain the patient name as pixels or are captured from a screen. */
const usuallyWritten = new Set([
  'US',
  'IVUS',
  'XA',
  'RF',
  'ES',
  'GM',
  'XC',
  'SC',
  'OT',
  'ECG',
  'DG',
  'OP',
  'DOC',
  'SR',
]);

/** Secondary Capture Image Storage and its multi-frame classes (PS3.4 §B.5). */
const secondaryCapture = /^1\.2\.840\.10008\.5\.1\.4\.1\.1\.7(\.|$)/;

/**
 * Returns a warning about burned-in text, shown before an image is saved without identity. Empty if the header states
 * that there is no such text. Also empty if the header does not tell and images of this kind usually have none (Burned
 * In Annotation, PS3.3 §C.7.6.1.1.6).
 */
export const burnedInWarning = (header: DicomJson): string => {
  const burnedIn = textOf(header, tag.BurnedInAnnotation).toUpperCase();
  if (burnedIn === 'YES') {
    return t`The image contains burned-in text, which may show the patient’s name. Check the whole image before you share it.`;
  }
  if (burnedIn === 'NO') return '';
  const isCapture = secondaryCapture.test(textOf(header, tag.SOPClassUID));
  return isCapture || usuallyWritten.has(textOf(header, tag.Modality))
    ? t`The image may contain burned-in text with the patient’s name. Check the whole image before you share it.`
    : '';
};
