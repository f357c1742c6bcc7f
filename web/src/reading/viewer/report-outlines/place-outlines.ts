import type { Graphic } from '#reading/viewer/presentation-states/annotations.ts';
import { isFor } from '#reading/viewer/presentation-states/image-references.ts';
import { type DicomJson, tag, textOf, numberOf } from '#reading/viewer/images/header/dicom-json.ts';
import { distanceFrom, pixelAt, type Slice, sliceOf } from '#reading/viewer/images/geometry/slice.ts';
import type { SeriesImage } from '#reading/viewer/images/series/series-loader.ts';
import type { OutlineType, ReportOutline } from './read-outlines.ts';

/** Outline on one image, in pixels of the image. The first pixel covers 0 to 1. */
export type PlacedOutline = { graphic: Graphic; words: readonly string[] };

const graphics: Record<OutlineType, Graphic['type']> = {
  POINT: 'POINT',
  MULTIPOINT: 'POINT',
  POLYLINE: 'POLYLINE',
  POLYGON: 'POLYLINE',
  CIRCLE: 'CIRCLE',
  ELLIPSE: 'ELLIPSE',
};

const placedOutlineOf = (
  { type, words }: Pick<ReportOutline, 'type' | 'words'>,
  points: readonly { x: number; y: number }[],
): PlacedOutline => ({
  graphic: {
    kind: 'graphic',
    type: graphics[type],
    points: points.map(({ x, y }) => ({ x, y, units: 'PIXEL' as const })),
    isFilled: false,
  },
  words,
});

/** Half the thickness of a slice in mm. Points within it lie on the slice. Thin slices have at least 0.5 mm. */
export const reachOf = (header: DicomJson): number => Math.max(0.5, (numberOf(header, tag.SliceThickness) ?? 1) / 2);

/** Outline whose points are places in the patient. */
export type SpatialOutline = Extract<ReportOutline, { places: unknown }>;

/** Returns an outline on a slice, if all its points lie within `reach` mm of the slice. */
export const onSlice = (
  slice: Slice,
  reach: number,
  outline: Omit<SpatialOutline, 'frameOfReference'>,
): PlacedOutline[] => {
  const isOn = outline.places.every((place) => Math.abs(distanceFrom(slice, place)) <= reach);
  if (!isOn) return [];
  const points = outline.places.map((place) => {
    const { row, column } = pixelAt(slice, place);
    return { x: column + 0.5, y: row + 0.5 };
  });
  // A polygon is closed without repeating its first point (PS3.3 §C.18.9.1.2).
  const [first] = points;
  return [placedOutlineOf(outline, outline.type === 'POLYGON' && first ? [...points, first] : points)];
};

/**
 * Returns the outlines that lie on an image: those that refer to it, and those in its frame of reference that lie in
 * its slice.
 */
export const outlinesOn = (image: SeriesImage, outlines: readonly ReportOutline[]): PlacedOutline[] => {
  const uid = textOf(image.header, tag.SOPInstanceUID);
  const slice = sliceOf(image);
  return outlines.flatMap((outline) => {
    if ('images' in outline)
      return isFor(outline.images, uid, image.frame) ? [placedOutlineOf(outline, outline.points)] : [];
    if (slice?.frameOfReference !== outline.frameOfReference) return [];
    return onSlice(slice, reachOf(image.header), outline);
  });
};
