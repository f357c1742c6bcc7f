import { type DicomJson, tag, textOf } from '#viewer/images/dicom-json.ts';

/** Machines that write the patient's name into their pictures, or pictures that somebody has put together from a screen. */
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

/** Secondary Capture Image Storage and its multi-frame kinds (PS3.4 §B.5). */
const secondaryCapture = /^1\.2\.840\.10008\.5\.1\.4\.1\.1\.7(\.|$)/;

/**
 * What to warn of before an image leaves without the patient's name; empty where it says that nothing is written in it,
 * and where nothing usually is (Burned In Annotation, PS3.3 §C.7.6.1.1.6).
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
