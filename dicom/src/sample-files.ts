import { writePart10, type Elements } from './part10.ts';
import { explicitLittleEndian } from './transfer-syntax.ts';
import { hasLongLength, isVr } from './vr.ts';

/** A complete small image for tests: two rows of three 16-bit pixels. */
export const sampleDataset = {
  SOPClassUID: '1.2.840.10008.5.1.4.1.1.7',
  SOPInstanceUID: '2.25.103',
  StudyInstanceUID: '2.25.101',
  SeriesInstanceUID: '2.25.102',
  PatientName: 'Doe^Jane',
  PatientID: 'P-1',
  Modality: 'OT',
  SamplesPerPixel: 1,
  PhotometricInterpretation: 'MONOCHROME2',
  Rows: 2,
  Columns: 3,
  BitsAllocated: 16,
  BitsStored: 12,
  HighBit: 11,
  PixelRepresentation: 0,
} satisfies Elements;

export const samplePixels = Buffer.from([1, 0, 2, 0, 3, 0, 4, 0, 5, 0, 6, 0]);

/**
 * The sample as a file in explicit VR little endian. `differences` changes or adds elements. An undefined element is
 * removed.
 */
export const sampleFile = (differences: Elements = {}): Buffer =>
  writePart10({
    transferSyntaxUID: explicitLittleEndian.uid,
    dataset: { ...sampleDataset, ...differences },
    pixelData: samplePixels,
  });

/** The sample without its image, so that more elements can follow. */
export const sampleWithoutPixels = (differences: Elements = {}): Buffer =>
  writePart10({
    transferSyntaxUID: explicitLittleEndian.uid,
    dataset: { ...sampleDataset, Rows: undefined, Columns: undefined, ...differences },
  });

/** The compressed sample. Each frame has the given bytes. */
export const sampleJpeg = (frames: readonly Buffer[], differences: Elements = {}): Buffer =>
  writePart10({
    transferSyntaxUID: '1.2.840.10008.1.2.4.50',
    dataset: { ...sampleDataset, NumberOfFrames: frames.length, ...differences },
    pixelData: frames,
  });

/** A raw element in explicit VR little endian. Its length may be wrong on purpose. */
export const rawElement = (tag: string, vr: string, value: Buffer = Buffer.alloc(0), length = value.length): Buffer => {
  const isLong = hasLongLength(vr) || !isVr(vr);
  const header = Buffer.alloc(isLong ? 12 : 8);
  header.writeUInt16LE(parseInt(tag.slice(0, 4), 16), 0);
  header.writeUInt16LE(parseInt(tag.slice(4), 16), 2);
  header.write(vr, 4, 'latin1');
  if (isLong) header.writeUInt32LE(length, 8);
  else header.writeUInt16LE(length, 6);
  return Buffer.concat([header, value]);
};

/** A raw item or delimiter. */
export const rawItem = (tag: string, value: Buffer = Buffer.alloc(0), length = value.length): Buffer => {
  const header = Buffer.alloc(8);
  header.writeUInt16LE(parseInt(tag.slice(0, 4), 16), 0);
  header.writeUInt16LE(parseInt(tag.slice(4), 16), 2);
  header.writeUInt32LE(length, 4);
  return Buffer.concat([header, value]);
};

/** The file with the first occurrence of some bytes replaced. */
export const withBytes = (file: Buffer, from: Buffer | string, to: Buffer | string): Buffer => {
  const at = file.indexOf(from);
  if (at < 0) throw new Error('The file does not contain the bytes to replace');
  return Buffer.concat([file.subarray(0, at), Buffer.from(to), file.subarray(at + Buffer.from(from).length)]);
};
