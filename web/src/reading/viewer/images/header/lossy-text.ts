import { t } from '@lingui/core/macro';
import { type DicomJson, numbersOf, tag, textOf } from './dicom-json.ts';

/**
 * Transfer syntaxes of JPEG that is always lossy, and of JPEG-LS that may be lossy (PS3.5 §10.2, §10.3). For JPEG 2000,
 * only the header tells.
 */
const losing = ['1.2.840.10008.1.2.4.50', '1.2.840.10008.1.2.4.51', '1.2.840.10008.1.2.4.81'];

/**
 * Returns a text such as "Lossy 20:1"; '' for an image without loss (PS3.3 §C.7.6.1.1.5). The header keeps recording a
 * loss even if the image was later compressed in another way. Each lossy compression adds a ratio.
 */
export const lossyText = (header: DicomJson): string => {
  const isLossy = textOf(header, tag.LossyImageCompression) === '01';
  if (!isLossy && !losing.includes(textOf(header, tag.AvailableTransferSyntaxUID))) return '';
  const ratios = numbersOf(header, tag.LossyImageCompressionRatio).filter((ratio) => ratio > 1);
  const factors = ratios.map((ratio) => `${Math.round(ratio)}:1`).join(', ');
  return factors ? t`Lossy ${factors}` : t`Lossy`;
};
