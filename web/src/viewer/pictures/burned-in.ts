import { type DicomJson, tag, textOf } from '#viewer/images/dicom-json.ts';

/** Modalities that usually write the patient name into images, or are captured from a screen. */
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
 * Warning before an image leaves without identity. Empty if it declares no annotation, or usually has none (Burned In
 * Annotation, PS3.3 §C.7.6.1.1.6).
 */
export const burnedInWarning = (header: DicomJson): string => {
  const said = textOf(header, tag.BurnedInAnnotation).toUpperCase();
  if (said === 'YES') {
    return 'The image says that something is written in it: it may show the patient’s name. Look at the whole picture before it leaves.';
  }
  if (said === 'NO') return '';
  const isCapture = secondaryCapture.test(textOf(header, tag.SOPClassUID));
  return isCapture || usuallyWritten.has(textOf(header, tag.Modality))
    ? 'The image itself may show the patient’s name: such images usually have words written in them, and this one does not say that it has none. Look at the whole picture before it leaves.'
    : '';
};
