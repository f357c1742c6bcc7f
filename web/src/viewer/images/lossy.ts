import { type DicomJson, numbersOf, tag, textOf } from './dicom-json.ts';

/** JPEG that cannot but lose, and JPEG-LS that may (PS3.5 §10.2, §10.3). Of JPEG 2000 only the header can say. */
const losing = ['1.2.840.10008.1.2.4.50', '1.2.840.10008.1.2.4.51', '1.2.840.10008.1.2.4.81'];

/**
 * "Lossy 20:1", '' for an image that nothing was lost of (PS3.3 §C.7.6.1.1.5). It says so for good, however its pixels are kept
 * now; one that was compressed several times has a ratio for each.
 */
export const lossyText = (header: DicomJson): string => {
  const isLossy = textOf(header, tag.LossyImageCompression) === '01';
  if (!isLossy && !losing.includes(textOf(header, tag.AvailableTransferSyntaxUID))) return '';
  const ratios = numbersOf(header, tag.LossyImageCompressionRatio).filter((ratio) => ratio > 1);
  return ['Lossy', ratios.map((ratio) => `${Math.round(ratio)}:1`).join(', ')].filter(Boolean).join(' ');
};
