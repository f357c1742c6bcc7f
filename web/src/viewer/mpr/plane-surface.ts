import { utilities } from '@cornerstonejs/core';
import { AngleTool, EllipticalROITool, LengthTool, ProbeTool, type Types } from '@cornerstonejs/tools';
import {
  isPlane,
  type MeasuredQuantity,
  type MeasuredValue,
  type Measurement,
  type MeasurementTool,
} from '@radwork/contract/measurements';
import { unitOnImage } from '#viewer/images/density-unit.ts';
import { tag, textOf } from '#viewer/images/dicom-json.ts';
import { between, dot, plus, times } from '#viewer/images/image-plane.ts';
import {
  type Annotation,
  annotationAt,
  type Drawn,
  labelOf,
  pointsOf,
  toolOf,
} from '#viewer/measuring/drawn-annotation.ts';
import { drawnPlane } from '#viewer/measuring/drawn-in-volumes.ts';
import type { Surface } from '#viewer/measuring/drawn-surface.ts';
import { linesBeside, readOff } from '#viewer/measuring/measurement-text.ts';
import { point3 } from '#viewer/volumes/point3.ts';
import { isWhole, type Volume } from '#viewer/volumes/volume.ts';
import { measuredInSpace } from './measured-in-space.ts';

/** What is read from the numbers of the volume, and not from where the points are. */
const fromNumbers: ReadonlySet<MeasuredQuantity> = new Set([
  'MEAN',
  'STANDARD_DEVIATION',
  'MINIMUM',
  'MAXIMUM',
  'VALUE',
]);

/** What is measured with on planes. */
export const measuring: readonly (readonly [MeasurementTool, string])[] = [
  ['LENGTH', LengthTool.toolName],
  ['ANGLE', AngleTool.toolName],
  ['ELLIPSE', EllipticalROITool.toolName],
  ['PROBE', ProbeTool.toolName],
];

/** The frame of reference of a volume. A series that names none makes no volume. */
export const frameOf = ({ content }: Volume): string => content.metadata.FrameOfReferenceUID;

/**
 * What is read from the numbers of a volume. The library works it out for each slice on which a drawing is seen, from the
 * numbers on the drawing's own plane, however thick the slab is. What has not come is black: as long as a slice is missing,
 * nothing is read.
 */
const readFromNumbers = (volume: Volume, data: Annotation['data']): MeasuredValue[] => {
  if (!isWhole(volume)) return [];
  const statistics = { ...data.cachedStats };
  const read = Object.keys(statistics)
    .filter((target) => target.startsWith('volumeId:') && utilities.getVolumeId(target) === volume.volumeId)
    // Millimetres of the patient are calibrated by nobody's hand.
    .map((target) => readOff({ cachedStats: statistics, byHand: null }, target))
    .toSorted((one, other) => other.length - one.length);
  // A volume that the page has left is no more in the cache, where its unit is looked for.
  const [image] = volume.images;
  return (read[0] ?? [])
    .filter(({ quantity }) => fromNumbers.has(quantity))
    .map((one) => ({ ...one, unit: unitOnImage(one.unit, image?.imageId ?? '') }));
};

/** What is written beside a drawing on the planes of a volume. */
export const writeOnPlanes = (group: Types.IToolGroup, volume: Volume) => {
  for (const [tool, name] of measuring) {
    const getTextLines = (data: Annotation['data']) =>
      linesBeside(data.label ?? '', [...measuredInSpace(tool, pointsOf({ data })), ...readFromNumbers(volume, data)]);
    group.setToolConfiguration(name, { getTextLines });
  }
};

/** The series that a volume is made of. */
export const seriesOf = ({ images: [image] }: Volume): string =>
  image ? textOf(image.header, tag.SeriesInstanceUID) : '';

/** The planes through the volume of a series: what is drawn on them is kept by its place in the patient. */
export const planesThrough = (volume: Volume): Surface => {
  const seriesInstanceUID = seriesOf(volume);
  const frameOfReferenceUID = frameOf(volume);
  const imageIds = new Set(volume.images.map(({ imageId }) => imageId));
  const [image] = volume.images;
  /** What is known to lie where it was drawn. */
  const placed = new WeakSet<Annotation>();

  /**
   * Has a new drawing lie where it was begun. The library (5.14.0) notes the nearest of its slices instead, and our planes
   * stand between slices.
   */
  const place = (one: Annotation) => {
    const [first] = pointsOf(one);
    if (!one.metadata || !first || placed.has(one)) return;
    one.metadata.cameraFocalPoint = point3(first);
    placed.add(one);
  };

  const drawnBy = (one: Annotation): Drawn | undefined => {
    const tool = toolOf(one);
    const points = pointsOf(one);
    const { viewPlaneNormal, viewUp } = one.metadata ?? {};
    if (!tool || points.length === 0 || !viewPlaneNormal || !viewUp) return undefined;
    return {
      tool,
      seriesInstanceUID,
      sopInstanceUID: null,
      frame: null,
      frameOfReferenceUID,
      points: points.map(([left, posterior, superior]) => [left, posterior, superior]),
      plane: drawnPlane(viewPlaneNormal, viewUp),
      label: labelOf(one),
      // What the mouse has outrun belongs to other points.
      values: [...measuredInSpace(tool, points), ...(one.invalidated ? [] : readFromNumbers(volume, one.data))],
    };
  };

  return {
    id: seriesInstanceUID,
    holds: ({ metadata }) =>
      metadata?.FrameOfReferenceUID === frameOfReferenceUID && metadata.viewPlaneNormal !== undefined,
    drawnBy,
    annotationOf: (id, drawn, isLocked) => {
      const { plane, points } = drawn;
      const isHere = drawn.seriesInstanceUID === seriesInstanceUID && drawn.frameOfReferenceUID === frameOfReferenceUID;
      if (!isHere || !plane || !isPlane(plane) || !points[0]) return undefined;
      const at = {
        viewPlaneNormal: point3(plane.normal),
        viewUp: point3(plane.up),
        cameraFocalPoint: point3(points[0]),
        // Which unit its numbers have, the library asks an image.
        ...(image && { referencedImageId: image.imageId }),
      };
      const one = annotationAt(id, drawn, at, isLocked);
      // Its first handle may be taken hold of where it is only seen.
      if (one) placed.add(one);
      return one;
    },
    isReadFrom: (_, imageId) => imageIds.has(imageId),
    // It is also seen on planes nearby, in a slab: a handle that is moved there stays on its own plane.
    straighten: (one) => {
      place(one);
      const { viewPlaneNormal: normal, cameraFocalPoint: middle } = one.metadata ?? {};
      if (!normal || !middle) return;
      for (const point of pointsOf(one)) {
        const [left, posterior, superior] = plus(point, times(normal, dot(between(point, middle), normal)));
        Object.assign(point, [left, posterior, superior]);
      }
    },
  };
};

/** Why something that is measured on planes of this series is not drawn, in words; undefined for all else. */
export const reasonNotDrawn = (one: Measurement, volume: Volume): string | undefined => {
  if (one.sopInstanceUID !== null || one.seriesInstanceUID !== seriesOf(volume)) return undefined;
  if (one.frameOfReferenceUID !== frameOf(volume)) {
    return 'Not drawn: it was measured in another frame of reference than its series has now.';
  }
  return one.plane && !isPlane(one.plane)
    ? 'Not drawn: what is kept of its plane is none. Delete it and measure anew.'
    : undefined;
};
