import type { DicomJson } from '#reading/viewer/images/header/dicom-json.ts';
import { lossyText } from '#reading/viewer/images/header/lossy-text.ts';

/** Warns of lossy compression. Saved pictures include the warning. */
export function LossyWarning({ header }: { header: DicomJson }) {
  const words = lossyText(header);
  return words === '' ? null : <span data-picture-fact={words}>{words}</span>;
}
