import type { DicomJson } from '#viewer/images/dicom-json.ts';
import { lossyText } from '#viewer/images/lossy.ts';

/** Warns of lossy compression. Saved pictures include it. */
export function LossyWarning({ header }: { header: DicomJson }) {
  const words = lossyText(header);
  return words === '' ? null : <span data-picture-fact={words}>{words}</span>;
}
