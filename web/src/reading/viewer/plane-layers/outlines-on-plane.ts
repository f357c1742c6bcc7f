import { areParallel, pointAt, type Slice, sliceOf } from '#reading/viewer/images/geometry/slice.ts';
import { tag, textOf } from '#reading/viewer/images/header/dicom-json.ts';
import type { SeriesImage } from '#reading/viewer/images/series/series-loader.ts';
import { isFor } from '#reading/viewer/presentation-states/image-references.ts';
import { onSlice, type PlacedOutline, reachOf } from '#reading/viewer/report-outlines/place-outlines.ts';
import type { ReportOutline } from '#reading/viewer/report-outlines/read-outlines.ts';

/** Volume that a plane cuts: its images, by SOPInstanceUID. */
export type ImagesByInstance = ReadonlyMap<string, readonly SeriesImage[]>;

export const byInstance = (images: readonly SeriesImage[]): ImagesByInstance =>
  Map.groupBy(images, ({ header }) => textOf(header, tag.SOPInstanceUID));

/** Returns the images of a volume from which the points of an outline were selected. */
const imagesOf = (outline: Extract<ReportOutline, { images: unknown }>, images: ImagesByInstance): SeriesImage[] =>
  [...outline.images.keys()].flatMap((uid) =>
    (images.get(uid) ?? []).filter(({ frame }) => isFor(outline.images, uid, frame)),
  );

/**
 * Returns the outlines of a report that lie in a plane: those of the frame of reference of the plane, and those on
 * images of the volume. An outline that crosses the plane is left out, because its points lie elsewhere. `reach` is the
 * largest distance of a point from the plane in mm; undefined for half the thickness of the images.
 */
export const outlinesOnPlane = (
  plane: Slice,
  images: ImagesByInstance,
  outlines: readonly ReportOutline[],
  reach?: number,
): PlacedOutline[] => {
  const [[first] = []] = images.values();
  return outlines.flatMap((outline) => {
    if ('places' in outline) {
      if (plane.frameOfReference === '' || outline.frameOfReference !== plane.frameOfReference) return [];
      return onSlice(plane, Math.max(reach ?? 0, reachOf(first?.header ?? {})), outline);
    }
    return imagesOf(outline, images).flatMap((image) => {
      const slice = sliceOf(image);
      // A circle or an ellipse on a crossing plane would have another shape.
      if (!slice || !areParallel(slice, plane)) return [];
      // The center of the first pixel is 0.5, 0.5 (PS3.3 §C.18.6.1.1).
      const places = outline.points.map(({ x, y }) => pointAt(slice, { row: y - 0.5, column: x - 0.5 }));
      const { type, words } = outline;
      return onSlice(plane, Math.max(reach ?? 0, reachOf(image.header)), { type, words, places });
    });
  });
};
