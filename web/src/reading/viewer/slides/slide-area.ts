import { type DicomJson, itemsOf, numberOf, tag } from '#reading/viewer/images/header/dicom-json.ts';
import type { Grid } from './read-places.ts';
import type { SlidePart } from './slide.ts';

/** An image of a slide: one instance, or the instances of a concatenation in order. */
export type SlideImage = {
  headers: DicomJson[];
  header: DicomJson;
  kind: string;
  grid: Grid;
  parts: SlidePart[];
  frames: number;
  /** Width and height of a pixel in millimeters. */
  spacing: { wide: number; tall: number } | undefined;
};

/** Returns the number of pixels of an image. */
export const areaOf = ({ grid }: SlideImage): number => grid.columns * grid.rows;

/** Share by which the sides of two images of one area may differ, besides one pixel of rounding. */
const tolerance = 0.03;

/** Returns the place of the first pixel on the slide in millimeters. */
const originOf = ({ header }: SlideImage): { x: number; y: number } | undefined => {
  const [origin = {}] = itemsOf(header, tag.TotalPixelMatrixOriginSequence);
  const x = numberOf(origin, tag.XOffsetInSlideCoordinateSystem);
  const y = numberOf(origin, tag.YOffsetInSlideCoordinateSystem);
  return x === undefined || y === undefined ? undefined : { x, y };
};

/** Whether an image shows the area of the largest one: with the same proportions, and by its header in the same place. */
export const isOfArea = (image: SlideImage, largest: SlideImage): boolean => {
  const wide = largest.grid.columns / image.grid.columns;
  const tall = largest.grid.rows / image.grid.rows;
  const rounding = 1 / Math.min(image.grid.columns, image.grid.rows);
  if (Math.abs(wide / tall - 1) > tolerance + rounding) return false;
  // The spacing of a thumbnail is often that of another level.
  if (image.kind === 'THUMBNAIL' || !image.spacing || !largest.spacing) return true;
  if (Math.abs(image.spacing.wide / largest.spacing.wide / wide - 1) > 0.2) return false;
  const [one, other] = [originOf(image), originOf(largest)];
  const side = largest.spacing.wide * Math.min(largest.grid.columns, largest.grid.rows);
  return !one || !other || Math.hypot(one.x - other.x, one.y - other.y) <= 0.1 * side;
};
