import type { DicomJson } from '#viewer/images/dicom-json.ts';
import { lossyText } from '#viewer/images/lossy.ts';

/** Says of a picture that something of it was lost when it was compressed; also where it is taken away. */
export function Lossy({ header }: { header: DicomJson }) {
  const words = lossyText(header);
  return words === '' ? null : <span data-picture-fact={words}>{words}</span>;
}
