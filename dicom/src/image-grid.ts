import { type DicomJson, itemsOf, numberOf, textOf } from './dataset.ts';
import { isProjection } from './projection-classes.ts';
import { cross, dot, type FramePosition, numbersOf, ofFrame, positionOfFrame, type Point } from './frame-position.ts';

export type { Point };

/** The place of a frame's pixels, in the coordinates of its measurements. */
export type ImageGrid = FramePosition & {
  /** Distances between neighboring columns and between neighboring rows. */
  columnSpacing: number;
  rowSpacing: number;
  columns: number;
  rows: number;
};

/** The magnification at the detector (PS3.3 §C.8.7.5). 1 if the header does not give it. */
const magnification = (header: DicomJson): number => {
  const estimated = numberOf(header, 'EstimatedRadiographicMagnificationFactor') ?? 0;
  if (estimated > 1) return estimated;
  const toDetector = numberOf(header, 'DistanceSourceToDetector') ?? 0;
  // Some devices write 0 for an unknown distance.
  const toPatient = (['DistanceSourceToPatient', 'DistanceSourceToEntrance'] as const)
    .map((keyword) => numberOf(header, keyword) ?? 0)
    .find((millimeters) => millimeters > 0);
  return toPatient !== undefined && toPatient < toDetector ? toDetector / toPatient : 1;
};

/** Returns a valid pixel spacing (PS3.3 §10.7.1.3), else []. The viewer applies the same rule. */
const usable = (spacing: number[]): number[] =>
  spacing.length === 2 && spacing.every((millimeters) => millimeters > 0) ? spacing : [];

/** Returns the row and column spacing that the viewer uses. Empty if there is none; the caller then uses 1. */
const spacingOf = (header: DicomJson, frame: number): number[] => {
  const pixels = usable(ofFrame(header, frame, 'PixelMeasuresSequence', 'PixelSpacing'));
  const imager = usable(numbersOf(header, 'ImagerPixelSpacing'));
  const calibration = textOf(header, 'PixelSpacingCalibrationType');
  const isCalibrated = pixels.length > 0 && (calibration === 'GEOMETRY' || calibration === 'FIDUCIAL');
  if (!isProjection(textOf(header, 'SOPClassUID') ?? '') || isCalibrated || imager.length === 0) return pixels;
  const factor = magnification(header);
  if (factor > 1) return imager.map((spacing) => spacing / factor);
  return pixels.length > 0 ? pixels : imager;
};

/**
 * The position, directions and spacing of the pixels of a frame (from 1), in the coordinate system of its measurements.
 * This is the patient if the header has a position. Otherwise the origin is the center of the first pixel.
 */
export const imageGrid = (header: DicomJson, frame: number): ImageGrid => {
  const [rowSpacing, columnSpacing] = spacingOf(header, frame);
  return {
    ...positionOfFrame(header, frame),
    columnSpacing: columnSpacing || 1,
    rowSpacing: rowSpacing || 1,
    columns: numberOf(header, 'Columns') ?? 0,
    rows: numberOf(header, 'Rows') ?? 0,
  };
};

const isShape = ([tall = 0, wide = 0]: readonly number[]): boolean => tall > 0 && wide > 0;

/** Returns the shape of the pixels of ultrasound tissue. Undefined if the regions disagree (PS3.3 §C.8.5.5). */
const shapeInRegions = (header: DicomJson): number[] | undefined => {
  const [first, ...others] = itemsOf(header, 'SequenceOfUltrasoundRegions')
    .filter((region) => numberOf(region, 'RegionSpatialFormat') === 1)
    .filter((region) =>
      ['PhysicalUnitsXDirection', 'PhysicalUnitsYDirection'].every((unit) => numberOf(region, unit) === 3),
    )
    .map((region) => ['PhysicalDeltaY', 'PhysicalDeltaX'].map((delta) => Math.abs(numberOf(region, delta) ?? 0)))
    .filter(isShape);
  if (!first) return undefined;
  const ratio = ([tall = 0, wide = 0]: readonly number[]) => tall / wide;
  return others.every((other) => Math.abs(ratio(other) / ratio(first) - 1) < 0.01) ? first : undefined;
};

/**
 * Returns how often a pixel of a frame (from 1) is as wide and as tall as its shorter side. Without a pixel size, the
 * shape follows from the aspect ratio (PS3.3 §C.7.6.3.1.7) or from the regions of ultrasound. The viewer applies the
 * same rule.
 */
export const pixelShape = (header: DicomJson, frame: number): { wide: number; tall: number } => {
  const known = [spacingOf(header, frame), numbersOf(header, 'PixelAspectRatio'), shapeInRegions(header) ?? []].find(
    isShape,
  );
  const [tall = 1, wide = 1] = known ?? [];
  const shorter = Math.min(tall, wide);
  return { wide: wide / shorter, tall: tall / shorter };
};

/**
 * Distances of neighboring columns and rows as the viewer draws them: the pixel spacing, or the shape of the pixels if
 * their size is unknown.
 */
export const drawnSpacing = (header: DicomJson, frame: number): Pick<ImageGrid, 'columnSpacing' | 'rowSpacing'> => {
  const [rowSpacing, columnSpacing] = spacingOf(header, frame);
  const { wide, tall } = pixelShape(header, frame);
  return { columnSpacing: columnSpacing ?? wide, rowSpacing: rowSpacing ?? tall };
};

/** A column and a row. 0 is the outer corner of the first pixel (PS3.3 §C.18.6.1.1). */
export type Pixel = readonly [column: number, row: number];

/** Tolerances in pixels: `border` around the image, `depth` before and after its plane. */
const slack = { border: 0.51, depth: 0.1 };

/**
 * Converts points to columns and rows. Returns undefined if a point lies outside the image or its plane, because such
 * coordinates do not belong to the image.
 */
export const onGrid = (points: readonly Point[], grid: ImageGrid): Pixel[] | undefined => {
  const { position, along, down, columnSpacing, rowSpacing, columns, rows } = grid;
  const normal = cross(along, down);
  const projectedPoints = points.map((point) => {
    const way: Point = [point[0] - position[0], point[1] - position[1], point[2] - position[2]];
    const pixel: Pixel = [dot(way, along) / columnSpacing + 0.5, dot(way, down) / rowSpacing + 0.5];
    return { pixel, depth: Math.abs(dot(way, normal)) / Math.min(columnSpacing, rowSpacing) };
  });
  const isOn = projectedPoints.every(
    ({ pixel: [column, row], depth }) => depth <= slack.depth && isBetween(column, columns) && isBetween(row, rows),
  );
  return isOn ? projectedPoints.map(({ pixel }) => pixel) : undefined;
};

const isBetween = (value: number, end: number): boolean => value >= -slack.border && value <= end + slack.border;
