import { type DicomJson, numberOf, tag, textOf } from './dicom-json.ts';
import { between, dot, type ImagePlane, normalOf, numbersOfFrame, plus, times, type Vector } from './image-plane.ts';

/** An image as far as it reaches in the patient: its plane, how many pixels it has and how many mm lie between them. */
export type Slice = ImagePlane & {
  rows: number;
  columns: number;
  /** Millimetres from the middle of a row to that of the next, and the same for columns (PixelSpacing, PS3.3 §10.7.1.3). */
  rowSpacing: number;
  columnSpacing: number;
  /** '' where the image does not say: then it shares its frame of reference with nobody. */
  frameOfReference: string;
};

/** A place on an image, from 0 and not rounded: a whole number is the middle of a pixel. */
export type Pixel = { row: number; column: number };

type Placed = { header: DicomJson; frame: number; plane: ImagePlane | undefined };

/** The slice of an image, undefined when its header does not place it in the patient in mm. */
export const sliceOf = ({ header, frame, plane }: Placed): Slice | undefined => {
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

/** Where a place on an image lies in the patient, in mm. */
export const pointAt = (slice: Slice, { row, column }: Pixel): Vector =>
  plus(
    slice.position,
    plus(times(slice.along, column * slice.columnSpacing), times(slice.down, row * slice.rowSpacing)),
  );

/** The place on an image that a point of the patient falls on when it is dropped squarely onto it. */
export const pixelAt = (slice: Slice, point: Vector): Pixel => {
  const way = between(slice.position, point);
  return { row: dot(way, slice.down) / slice.rowSpacing, column: dot(way, slice.along) / slice.columnSpacing };
};

/** The middle of an image in the patient. */
export const middleOf = (slice: Slice): Vector =>
  pointAt(slice, { row: (slice.rows - 1) / 2, column: (slice.columns - 1) / 2 });

/** How many mm a point lies before a slice, on the side of its normal; negative behind it. */
export const distanceFrom = (slice: Slice, point: Vector): number =>
  dot(between(slice.position, point), normalOf(slice));

/** Slices that are turned against each other by less than ten degrees show the same anatomy and count as parallel. */
const nearlyParallel = Math.cos(Math.PI / 18);

/** Whether two slices lie nearly parallel, whichever way each is counted. */
export const areParallel = (one: ImagePlane, other: ImagePlane): boolean =>
  Math.abs(dot(normalOf(one), normalOf(other))) > nearlyParallel;

export const shareFrame = (one: Slice, other: Slice): boolean =>
  one.frameOfReference !== '' && one.frameOfReference === other.frameOfReference;
