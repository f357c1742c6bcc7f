import type { Elements } from '@radwork/dicom/part10';
import { normalOf, type Plane } from './geometry.ts';
import { timeAfter, uidOf, type StudyOptions } from './study.ts';

export const explicitLittleEndian = '1.2.840.10008.1.2.1';

export type Series = {
  modality: string;
  number: number;
  description: string;
  bodyPart: string;
  /** Seconds from the start of the study. */
  start: number;
};

/** A series and one of its instances (PS3.3 §C.7.3.1, C.7.6.1, C.12.1). */
export const instanceElements = (
  options: StudyOptions,
  series: Series,
  sopClassUID: string,
  number: number,
): Elements => {
  const time = timeAfter(options, series.start);
  return {
    SOPClassUID: sopClassUID,
    SOPInstanceUID: uidOf(options, series.modality, series.number, number),
    Modality: series.modality,
    SeriesInstanceUID: uidOf(options, series.modality, series.number),
    SeriesNumber: series.number,
    SeriesDescription: series.description,
    SeriesDate: options.studyDate,
    SeriesTime: time,
    BodyPartExamined: series.bodyPart,
    InstanceNumber: number,
    InstanceCreationDate: options.studyDate,
    InstanceCreationTime: time,
    ContentDate: options.studyDate,
    ContentTime: time,
    AcquisitionDate: options.studyDate,
    AcquisitionTime: time,
    AcquisitionNumber: 1,
  };
};

/** The place of an image in the patient (PS3.3 §C.7.6.2, C.7.4.1). */
export const planeElements = (plane: Plane, frameOfReferenceUID: string, thickness: number): Elements => {
  const [left, posterior, superior] = plane.position;
  const normal = normalOf(plane);
  return {
    FrameOfReferenceUID: frameOfReferenceUID,
    PositionReferenceIndicator: '',
    ImagePositionPatient: [left, posterior, superior],
    ImageOrientationPatient: [...plane.along, ...plane.down],
    PixelSpacing: [plane.pixelSpacing, plane.pixelSpacing],
    SliceThickness: thickness,
    SpacingBetweenSlices: thickness,
    SliceLocation: left * normal[0] + posterior * normal[1] + superior * normal[2],
  };
};

/** Gray pixels of 16 bits with `bitsStored` used low bits (PS3.3 §C.7.6.3). */
export const grayscaleElements = (
  { rows, columns }: Pick<Plane, 'rows' | 'columns'>,
  bitsStored: 12 | 16,
): Elements => ({
  SamplesPerPixel: 1,
  PhotometricInterpretation: 'MONOCHROME2',
  Rows: rows,
  Columns: columns,
  BitsAllocated: 16,
  BitsStored: bitsStored,
  HighBit: bitsStored - 1,
  PixelRepresentation: 0,
});

/** The stored pixels of an image: rounded, limited to the bits, low byte first. */
export const storedPixels = (image: Float32Array, bitsStored: 12 | 16, toStored: (value: number) => number): Buffer => {
  const highest = 2 ** bitsStored - 1;
  const stored = new Uint16Array(image.length);
  for (let index = 0; index < image.length; index += 1) {
    stored[index] = Math.min(highest, Math.max(0, Math.round(toStored(image[index] ?? 0))));
  }
  return Buffer.from(stored.buffer);
};
