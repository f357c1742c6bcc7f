import { type DicomJson, numberOf, textOf } from './dataset.ts';
import { cross, dot, type FramePlace, numbersOf, ofFrame, placeOfFrame, type Point } from './frame-place.ts';

export type { Point };

/** Where the pixels of a frame lie in the coordinates in which is measured on it. */
export type ImageGrid = FramePlace & {
  /** From one column to the next, and from one row to the next. */
  columnSpacing: number;
  rowSpacing: number;
  columns: number;
  rows: number;
};

/** Projection radiographs: where the rays fan out, a pixel is smaller in the patient than at the detector. */
const projections = new Set(
  ['1', '1.1', '1.1.1', '1.2', '1.2.1', '1.3', '1.3.1', '12.1', '12.1.1', '12.2', '12.2.1', '12.3'].map(
    (end) => `1.2.840.10008.5.1.4.1.1.${end}`,
  ),
);

/** How many times larger something is at the detector than it is, as far as the header tells (PS3.3 §C.8.7.5). */
const magnification = (header: DicomJson): number => {
  const said = numberOf(header, 'EstimatedRadiographicMagnificationFactor') ?? 0;
  if (said > 1) return said;
  const toDetector = numberOf(header, 'DistanceSourceToDetector') ?? 0;
  // Devices write 0 where they know no distance.
  const toPatient = (['DistanceSourceToPatient', 'DistanceSourceToEntrance'] as const)
    .map((keyword) => numberOf(header, keyword) ?? 0)
    .find((millimetres) => millimetres > 0);
  return toPatient !== undefined && toPatient < toDetector ? toDetector / toPatient : 1;
};

/** A size of pixels that is one (PS3.3 §10.7.1.3). The viewer goes by no other either. */
const usable = (spacing: number[]): number[] =>
  spacing.length === 2 && spacing.every((millimetres) => millimetres > 0) ? spacing : [];

/** The distance of rows and of columns by which the viewer draws: 1 where the header has none. */
const spacingOf = (header: DicomJson, frame: number): number[] => {
  const pixels = usable(ofFrame(header, frame, 'PixelMeasuresSequence', 'PixelSpacing'));
  const imager = usable(numbersOf(header, 'ImagerPixelSpacing'));
  const calibration = textOf(header, 'PixelSpacingCalibrationType');
  const isCalibrated = pixels.length > 0 && (calibration === 'GEOMETRY' || calibration === 'FIDUCIAL');
  if (!projections.has(textOf(header, 'SOPClassUID') ?? '') || isCalibrated || imager.length === 0) return pixels;
  const factor = magnification(header);
  if (factor > 1) return imager.map((spacing) => spacing / factor);
  return pixels.length > 0 ? pixels : imager;
};

/**
 * Where the pixels of a frame (from 1) lie in the coordinates of what is measured on it. They are the patient's where
 * the header places the image in the patient; else the viewer's own, from the middle of the first pixel on.
 */
export const imageGrid = (header: DicomJson, frame: number): ImageGrid => {
  const [rowSpacing, columnSpacing] = spacingOf(header, frame);
  return {
    ...placeOfFrame(header, frame),
    columnSpacing: columnSpacing || 1,
    rowSpacing: rowSpacing || 1,
    columns: numberOf(header, 'Columns') ?? 0,
    rows: numberOf(header, 'Rows') ?? 0,
  };
};

/** A column and a row, from 0 at the outer corner of the first pixel (PS3.3 §C.18.6.1.1). */
export type Pixel = readonly [column: number, row: number];

/** What a point may lie beside its image: in pixels at the border, in pixels before and behind it. */
const slack = { border: 0.51, depth: 0.1 };

/**
 * Points in columns and rows. Undefined when one of them lies beside the image or not in its plane: coordinates that
 * do not fit the header must not be said of the image.
 */
export const onGrid = (points: readonly Point[], grid: ImageGrid): Pixel[] | undefined => {
  const { position, along, down, columnSpacing, rowSpacing, columns, rows } = grid;
  const normal = cross(along, down);
  const placed = points.map((point) => {
    const way: Point = [point[0] - position[0], point[1] - position[1], point[2] - position[2]];
    const pixel: Pixel = [dot(way, along) / columnSpacing + 0.5, dot(way, down) / rowSpacing + 0.5];
    return { pixel, depth: Math.abs(dot(way, normal)) / Math.min(columnSpacing, rowSpacing) };
  });
  const isOn = placed.every(
    ({ pixel: [column, row], depth }) => depth <= slack.depth && isBetween(column, columns) && isBetween(row, rows),
  );
  return isOn ? placed.map(({ pixel }) => pixel) : undefined;
};

const isBetween = (value: number, end: number): boolean => value >= -slack.border && value <= end + slack.border;
