import { addElement, rootContext } from './data-set-reader.ts';
import { textOf, type DicomJson } from './dataset.ts';
import { DicomError, truncated } from './dicom-error.ts';
import { readElementHeader } from './element-reader.ts';
import { requireBytes, uint16, vrAt, warn, type Reading } from './reading.ts';
import { elementWithoutVr } from './element-without-vr.ts';
import { hasPrefix, preambleLength, startsWithElement } from './recognize-file.ts';
import { isUid } from './uid.ts';
import { isVr } from './vr.ts';

const mostMetaElements = 200;
const mediaStorageDirectory = '1.2.840.10008.1.3.10';
const transferSyntaxTag = '00020010';
const notDicom = () => new DicomError('notDicom');

/** The file meta information (PS3.10 §7.1). `transferSyntaxUID` is undefined for a bare data set without it. */
export type FileMeta = { fileMeta: DicomJson; transferSyntaxUID: string | undefined };

/**
 * Reads up to the start of the data set. Accepts a file without preamble or meta information only if its beginning is
 * certainly DICOM.
 */
export const readFileMeta = (reading: Reading): FileMeta => {
  if (reading.size === 0) throw new DicomError('empty');
  requireBytes(reading, Math.min(reading.size, preambleLength + 4));
  if (hasPrefix(reading.bytes)) {
    reading.position = preambleLength + 4;
    return readMetaGroup(reading);
  }
  if (!startsWithElement(reading.bytes)) throw notDicom();
  warn(reading, 'The file has no DICOM preamble.');
  if (uint16(reading.bytes, 0, true) === 2) return readMetaGroup(reading);
  return { fileMeta: {}, transferSyntaxUID: undefined };
};

const readMetaGroup = (reading: Reading): FileMeta => {
  const fileMeta = readGroupTwo(reading);
  if (textOf(fileMeta, 'MediaStorageSOPClassUID') === mediaStorageDirectory) {
    throw new DicomError('directory');
  }
  const transferSyntaxUID = textOf(fileMeta, 'TransferSyntaxUID');
  if (!transferSyntaxUID && reading.position === reading.size) throw truncated();
  if (!transferSyntaxUID) throw new DicomError('syntaxUndeclared');
  if (!isUid(transferSyntaxUID)) throw new DicomError('syntaxUnknown');
  return { fileMeta, transferSyntaxUID };
};

const readGroupTwo = (reading: Reading): DicomJson => {
  const encoding = { explicit: true, littleEndian: true };
  const context = rootContext(reading, encoding);
  const fileMeta: DicomJson = {};
  if (reading.position === reading.size) throw truncated();
  while (isInGroupTwo(reading)) {
    if (!hasReadableHeader(reading) || reading.elements >= mostMetaElements) {
      throw new DicomError('metaDamaged');
    }
    const header = readElementHeader(reading, encoding, reading.size);
    if (header.tag === transferSyntaxTag && fileMeta[header.tag]) throw new DicomError('syntaxTwice');
    addElement(reading, context, fileMeta, header, reading.size);
  }
  return fileMeta;
};

/**
 * Bytes that some devices write in place of a VR. Other invalid bytes are a length: meta information in implicit VR,
 * which is refused (PS3.10 §7.1).
 */
const missingVrs = new Set(['  ', '??']);

const hasReadableHeader = (reading: Reading): boolean => {
  const vr = vrAt(reading.bytes, reading.position + 4);
  if (isVr(vr)) return true;
  return missingVrs.has(vr) && elementWithoutVr(reading, true, reading.position, reading.size) !== undefined;
};

const isInGroupTwo = (reading: Reading): boolean => {
  if (reading.position === reading.size) return false;
  if (reading.size - reading.position < 8) throw truncated();
  requireBytes(reading, reading.position + 8);
  return uint16(reading.bytes, reading.position, true) === 2;
};
