import { addElement, rootContext } from './data-set-reader.ts';
import type { DicomJson } from './dataset.ts';
import { tagOf } from './dictionary.ts';
import { DicomError, truncated } from './dicom-error.ts';
import { readElementHeader } from './element-reader.ts';
import { requireBytes, warn, type ElementHeader, type Encoding, type Reading } from './reading.ts';

export type RootDataSet = { dataset: DicomJson; pixelData: ElementHeader | undefined };

const pixelDataTags = new Set(['FloatPixelData', 'DoubleFloatPixelData', 'PixelData'].map(tagOf));
const trailingPaddingTag = tagOf('DataSetTrailingPadding');

/** Elements that identify image and patient. If such an element occurs twice, the file is refused. */
const identityTags = new Set(
  ['SOPClassUID', 'SOPInstanceUID', 'StudyInstanceUID', 'SeriesInstanceUID', 'PatientID', 'PatientName'].map(tagOf),
);

/** Reads the data set from the position up to its pixel data, or to the end of the file. */
export const readRootDataSet = (reading: Reading, encoding: Encoding): RootDataSet => {
  const context = rootContext(reading, encoding);
  const dataset: DicomJson = {};
  let lastTag = '';
  while (!isAtEnd(reading)) {
    const header = readElementHeader(reading, encoding, reading.size);
    if (pixelDataTags.has(header.tag)) return { dataset, pixelData: header };
    if (header.tag === trailingPaddingTag) break;
    refuseOddElement(reading, header, dataset);
    if (header.tag < lastTag) warn(reading, 'The elements of the file are out of order.');
    lastTag = header.tag;
    addElement(reading, context, dataset, header, reading.size);
  }
  return { dataset, pixelData: undefined };
};

const refuseOddElement = ({ limits }: Reading, { tag, length }: ElementHeader, dataset: DicomJson): void => {
  if (tag < '00080000') throw new DicomError('headerDamaged');
  if (!identityTags.has(tag)) return;
  if (dataset[tag]) throw new DicomError('identifiedTwice');
  if (length > limits.identityBytes) throw new DicomError('identifierTooLong');
};

/** Whether the file ends here, or only zeros follow. Some applications fill blocks with zeros. */
export const isAtEnd = (reading: Reading): boolean => {
  const { position, size } = reading;
  if (position === size) return true;
  const next = Math.min(position + 8, size);
  requireBytes(reading, next);
  if (!isZero(reading, next)) return false;
  requireBytes(reading, size);
  const isPadding = isZero(reading, size);
  // Without this check, a lost end that is filled with zeros would pass for blank delimiters and padding.
  if (isPadding && reading.blankDelimiterEnd === position) throw truncated();
  if (isPadding) warn(reading, 'The file is padded with zeros at its end.');
  return isPadding;
};

/** Whether all bytes from the position to `end` are zero. */
const isZero = ({ bytes, position }: Reading, end: number): boolean => {
  for (let at = position; at < end; at += 1) if (bytes[at] !== 0) return false;
  return true;
};
