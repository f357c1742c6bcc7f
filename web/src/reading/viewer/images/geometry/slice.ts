import { type DicomJson, numberOf, tag, textOf } from '#reading/viewer/images/header/dicom-json.ts';
import { between, dot, type ImagePlane, normalOf, numbersOfFrame, plus, times, type Vector } from './image-plane.ts';

/** The area that an image covers in the patient: its plane, its number of pixels, and their spacing in mm. */
export type Slice = ImagePlane & {
  rows: number;
  columns: number;
  /**
   * Distance between the centers of neighboring rows, in mm. `columnSpacing` is the distance between columns
   * (PixelSpacing, PS3.3 §10.7.1.3).
   */
  rowSpacing: number;
  columnSpacing: number;
  /**
   * UID of the frame of reference. It is empty if unknown. Positions of such an image cannot be compared with those of
   * other images.
   */
  frameOfReference: string;
};

/** Position on an image, from 0 and with fractions. Whole numbers are pixel centers. */
export type Pixel = { row: number; column: number };

type FrameInSeries = { header: DicomJson; frame: number; plane: ImagePlane | undefined };

/** Returns the slice of an image. Undefined if the header of the image gives no position or no spacing in mm. */
export const sliceOf = ({ header, frame, plane }: FrameInSeries): Slice | undefined => {
  const [rowSpacing = 0, columnSpacing = 0] = numbersOfFrame(
    header,
    frame,
    tag.PixelMeasuresSequence,
    tag.PixelSpacing,
  );
  const [rows = 0, columns = 0] = [numberOf(header, tag.Rows), numberOf(header, tag.Columns)];
  if (!plane || rows < 1 || columns < 1 || !(rowSpacing > 0) || !(columnSpacing > 0)) return undefined;
  const frameOfReference = textOf(header, tag.FrameOfReferenceUID);
  return { ...plane, rows, columns, rowSpacing, columnSpacing, frameOfReference };
};

/** Converts a position on an image to patient coordinates, in mm. */
export const pointAt = (slice: Slice, { row, column }: Pixel): Vector =>
  plus(
    slice.position,
    plus(times(slice.along, column * slice.columnSpacing), times(slice.down, row * slice.rowSpacing)),
  );

/** Projects a point of the patient perpendicularly onto an image. */
export const pixelAt = (slice: Slice, point: Vector): Pixel => {
  const way = between(slice.position, point);
  return { row: dot(way, slice.down) / slice.rowSpacing, column: dot(way, slice.along) / slice.columnSpacing };
};

/** Returns the center of an image in patient coordinates. */
export const middleOf = (slice: Slice): Vector =>
  pointAt(slice, { row: (slice.rows - 1) / 2, column: (slice.columns - 1) / 2 });

/**
 * Returns the distance of a point from a slice along its normal, in mm. The distance is negative against the direction
 * of the normal.
 */
export const distanceFrom = (slice: Slice, point: Vector): number =>
  dot(between(slice.position, point), normalOf(slice));

/** Cosine of ten degrees. Slices within ten degrees show the same anatomy and count as parallel. */
const nearlyParallel = Math.cos(Math.PI / 18);

/** Whether two slices are nearly parallel, whichever side they face. */
export const areParallel = (one: ImagePlane, other: ImagePlane): boolean =>
  Math.abs(dot(normalOf(one), normalOf(other))) > nearlyParallel;

export const shareFrame = (one: Slice, other: Slice): boolean =>
  one.frameOfReference !== '' && one.frameOfReference === other.frameOfReference;
