import type { DicomJson } from '@radwork/dicom/dataset';
import { DicomError, NeedMoreBytes } from '@radwork/dicom/dicom-error';
import { defaultLimits, startReading } from '@radwork/dicom/element-reader';
import { type Elements, writeDataSet } from '@radwork/dicom/part10';
import { readRootDataSet } from '@radwork/dicom/root-data-set';
import { explicitLittleEndian, implicitLittleEndian } from '@radwork/dicom/transfer-syntax';

/** What came as an identifier is no data set. */
export class BadIdentifier extends Error {
  override readonly name = 'BadIdentifier';
}

/** Queries and their answers travel in one of these. */
export const identifierSyntaxes = [explicitLittleEndian.uid, implicitLittleEndian.uid];

export const mostIdentifierBytes = 1 << 20;

/** A query may list very many UIDs (PS3.4 §C.2.2.2.2), where a file says one. */
const identifierLimits = {
  ...defaultLimits,
  depth: 8,
  elements: 10_000,
  values: 100_000,
  headerBytes: mostIdentifierBytes,
  identityBytes: mostIdentifierBytes,
};

/** Decodes what a query asks for or answers. Throws BadIdentifier when it is no data set. */
export const readIdentifier = (bytes: Buffer, transferSyntaxUID: string): DicomJson => {
  const explicit = transferSyntaxUID !== implicitLittleEndian.uid;
  try {
    const reading = startReading(bytes, bytes.length, identifierLimits);
    const { dataset } = readRootDataSet(reading, { explicit, littleEndian: true });
    // A key that was passed over would match everything. Icons and the like, which answers may have, are no keys.
    if (reading.bulk.some(({ vr }) => !isBinary(vr))) {
      throw new BadIdentifier('A value of the identifier is too long. Ask for less.');
    }
    return dataset;
  } catch (error) {
    if (error instanceof DicomError || error instanceof NeedMoreBytes)
      throw new BadIdentifier('The identifier cannot be read.');
    throw error;
  }
};

const isBinary = (vr: string): boolean => vr.startsWith('O') || vr === 'UN';

/** Encodes it, in UTF-8, which is said only where it matters: not every side knows the name (PS3.3 §C.12.1.1.2). */
export const writeIdentifier = (elements: Elements, transferSyntaxUID: string): Buffer => {
  const isAscii = writeDataSet(transferSyntaxUID, elements).every((byte) => byte < 128);
  return writeDataSet(transferSyntaxUID, { ...(!isAscii && { SpecificCharacterSet: 'ISO_IR 192' }), ...elements });
};
