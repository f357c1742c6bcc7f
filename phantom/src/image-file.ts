import { numberOf, valuesOf, type DicomJson } from '@radwork/dicom/dataset';
import { readHeader } from '@radwork/dicom/header';
import type { Plane, Point } from './geometry.ts';

/** An image read back from its file, to compare with the known values. */
export type ImageFile = {
  dataset: DicomJson;
  /** The rescaled value of the nearest pixel: HU, Bq/ml, or the stored value without a rescale. */
  valueAt: (row: number, column: number) => number;
};

/**
 * Opens an uncompressed image of unsigned 16-bit gray pixels in little endian. Throws TypeError for other images.
 * `valueAt` throws RangeError outside the image.
 */
export const openImage = (bytes: Buffer): ImageFile => {
  const { dataset, pixelData } = readHeader(bytes);
  const isPlainGray = numberOf(dataset, 'BitsAllocated') === 16 && numberOf(dataset, 'PixelRepresentation') === 0;
  if (!pixelData?.length || !isPlainGray)
    throw new TypeError('Only uncompressed images with unsigned 16-bit gray values are supported');

  const [rows, columns] = [numberOf(dataset, 'Rows') ?? 0, numberOf(dataset, 'Columns') ?? 0];
  const slope = numberOf(dataset, 'RescaleSlope') ?? 1;
  const intercept = numberOf(dataset, 'RescaleIntercept') ?? 0;
  const valueAt = (row: number, column: number): number => {
    const [nearestRow, nearestColumn] = [Math.round(row), Math.round(column)];
    const isInside = nearestRow >= 0 && nearestRow < rows && nearestColumn >= 0 && nearestColumn < columns;
    if (!isInside) throw new RangeError(`No pixel at row ${row}, column ${column} of ${rows} x ${columns}`);
    return bytes.readUInt16LE(pixelData.offset + 2 * (nearestRow * columns + nearestColumn)) * slope + intercept;
  };
  return { dataset, valueAt };
};

/** The plane of an image from its own elements (PS3.3 §C.7.6.2). Throws TypeError if they are incomplete. */
export const planeOf = (dataset: DicomJson): Plane => {
  const orientation = numbersOf(dataset, 'ImageOrientationPatient', 6);
  const [pixelSpacing = 0] = numbersOf(dataset, 'PixelSpacing', 2);
  const [rows = 0, columns = 0] = ['Rows', 'Columns'].flatMap((keyword) => numbersOf(dataset, keyword, 1));
  return {
    rows,
    columns,
    pixelSpacing,
    position: pointFrom(numbersOf(dataset, 'ImagePositionPatient', 3)),
    along: pointFrom(orientation.slice(0, 3)),
    down: pointFrom(orientation.slice(3)),
  };
};

const numbersOf = (dataset: DicomJson, keyword: string, count: number): number[] => {
  const values = valuesOf(dataset, keyword).map(Number);
  if (values.length !== count || values.some(Number.isNaN))
    throw new TypeError(`${keyword} does not hold ${count} numbers`);
  return values;
};

const pointFrom = ([left = 0, posterior = 0, superior = 0]: readonly number[]): Point => [left, posterior, superior];
