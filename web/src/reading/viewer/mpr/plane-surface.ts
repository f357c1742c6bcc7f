import { t } from '@lingui/core/macro';
import { utilities } from '@cornerstonejs/core';
import { AngleTool, EllipticalROITool, LengthTool, ProbeTool, type Types } from '@cornerstonejs/tools';
import {
  isPlane,
  type MeasuredQuantity,
  type MeasuredValue,
  type Measurement,
  type MeasurementTool,
} from '@radwork/contract/reading/measurements';
import { unitOnImage } from '#reading/viewer/images/values/density-unit.ts';
import { tag, textOf } from '#reading/viewer/images/header/dicom-json.ts';
import { between, dot, plus, times } from '#reading/viewer/images/geometry/image-plane.ts';
import {
  type Annotation,
  annotationAt,
  type Drawing,
  labelOf,
  pointsOf,
  toolOf,
} from '#reading/viewer/measuring/drawn-annotation.ts';
import { drawnPlane } from '#reading/viewer/measuring/drawn-in-volumes.ts';
import type { Surface } from '#reading/viewer/measuring/drawing-surface.ts';
import { annotationLines, calibratedValues } from '#reading/viewer/measuring/measurement-text.ts';
import { point3 } from '#reading/viewer/volumes/point3.ts';
import { isLoading, isWhole, type Volume } from '#reading/viewer/volumes/volume.ts';
import { measuredInSpace } from './measure-in-space.ts';

/** Quantities that are computed from voxel values, not from positions. */
const fromNumbers: ReadonlySet<MeasuredQuantity> = new Set([
  'MEAN',
  'STANDARD_DEVIATION',
  'MINIMUM',
  'MAXIMUM',
  'VALUE',
]);

/** Tools for measuring on planes. */
export const measuring: readonly (readonly [MeasurementTool, string])[] = [
  ['LENGTH', LengthTool.toolName],
  ['ANGLE', AngleTool.toolName],
  ['ELLIPSE', EllipticalROITool.toolName],
  ['PROBE', ProbeTool.toolName],
];

/** Returns the frame of reference of a volume. A series without a frame of reference cannot make a volume. */
export const frameOf = ({ content }: Volume): string => content.metadata.FrameOfReferenceUID;

/**
 * Returns the values of a drawing that depend on voxels. The imaging library computes them for a single slice on the
 * plane of the drawing, even in a slab. An incomplete volume gives no values, because missing slices have none.
 */
const readFromNumbers = (volume: Volume, data: Annotation['data']): MeasuredValue[] => {
  if (!isWhole(volume)) return [];
  const statistics = { ...data.cachedStats };
  const read = Object.keys(statistics)
    .filter((target) => target.startsWith('volumeId:') && utilities.getVolumeId(target) === volume.volumeId)
    // Values in the patient are in millimeters, so no manual calibration applies.
    .map((target) => calibratedValues({ cachedStats: statistics, byHand: null }, target))
    .toSorted((one, other) => other.length - one.length);
  // Takes the unit from an image, because the cache may have dropped the volume when the page was left.
  const [image] = volume.images;
  return (read[0] ?? [])
    .filter(({ quantity }) => fromNumbers.has(quantity))
    .map((one) => ({ ...one, unit: unitOnImage(one.unit, image?.imageId ?? '') }));
};

/** Tools whose values come from voxels. */
const readingVoxels: ReadonlySet<MeasurementTool> = new Set(['ELLIPSE', 'PROBE']);

/** Returns the reason why a drawing has no values of voxels. Empty if it has. */
const reasonWithoutValues = (tool: MeasurementTool, volume: Volume): string[] => {
  if (isWhole(volume) || !readingVoxels.has(tool)) return [];
  return [isLoading(volume) ? t`Loading: values follow` : t`No values: slices are missing`];
};

/** Sets the text shown next to drawings on the planes of a volume. */
export const writeOnPlanes = (group: Types.IToolGroup, volume: Volume) => {
  for (const [tool, name] of measuring) {
    const getTextLines = (data: Annotation['data']) =>
      annotationLines(data.label ?? '', [
        ...measuredInSpace(tool, pointsOf({ data })),
        ...readFromNumbers(volume, data),
      ]).concat(reasonWithoutValues(tool, volume));
    group.setToolConfiguration(name, { getTextLines });
  }
};

/** Returns the SeriesInstanceUID of a volume. */
export const seriesOf = ({ images: [image] }: Volume): string =>
  image ? textOf(image.header, tag.SeriesInstanceUID) : '';

/** Returns the drawing surface of the planes through a volume. Drawings are stored by patient position. */
export const planesThrough = (volume: Volume): Surface => {
  const seriesInstanceUID = seriesOf(volume);
  const frameOfReferenceUID = frameOf(volume);
  const imageIds = new Set(volume.images.map(({ imageId }) => imageId));
  const [image] = volume.images;
  /** Drawings whose position is already set. */
  const positioned = new WeakSet<Annotation>();

  /**
   * Sets the position of a new drawing to its first point. The imaging library (5.14.0) uses the nearest slice, but
   * planes may lie between slices.
   */
  const place = (one: Annotation) => {
    const [first] = pointsOf(one);
    if (!one.metadata || !first || positioned.has(one)) return;
    one.metadata.cameraFocalPoint = point3(first);
    positioned.add(one);
  };

  const drawnBy = (one: Annotation): Drawing | undefined => {
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
      // Leaves out outdated values, which were computed for earlier points during a fast drag.
      values: [...measuredInSpace(tool, points), ...(one.invalidated ? [] : readFromNumbers(volume, one.data))],
    };
  };

  return {
    id: seriesInstanceUID,
    holds: ({ metadata }) =>
      metadata?.FrameOfReferenceUID === frameOfReferenceUID && metadata.viewPlaneNormal !== undefined,
    drawnBy,
    annotationOf: (id, drawing, isLocked) => {
      const { plane, points } = drawing;
      const isHere =
        drawing.seriesInstanceUID === seriesInstanceUID && drawing.frameOfReferenceUID === frameOfReferenceUID;
      if (!isHere || !plane || !isPlane(plane) || !points[0]) return undefined;
      const at = {
        viewPlaneNormal: point3(plane.normal),
        viewUp: point3(plane.up),
        cameraFocalPoint: point3(points[0]),
        // The imaging library reads the unit of the values from an image.
        ...(image && { referencedImageId: image.imageId }),
      };
      const one = annotationAt(id, drawing, at, isLocked);
      // Keeps the saved position, even if the user moves the first handle on a neighboring plane that shows the
      // drawing.
      if (one) positioned.add(one);
      return one;
    },
    isReadFrom: (_, imageId) => imageIds.has(imageId),
    // In a slab, neighboring planes also show the drawing. If the user moves a handle there, the drawing must stay on
    // its own plane.
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

/**
 * Returns the reason why a measurement of this series is not drawn on the planes. Undefined for all other measurements.
 */
export const reasonNotDrawn = (one: Measurement, volume: Volume): string | undefined => {
  if (one.sopInstanceUID !== null || one.seriesInstanceUID !== seriesOf(volume)) return undefined;
  if (one.frameOfReferenceUID !== frameOf(volume)) {
    return t`Not drawn: measured in another frame of reference.`;
  }
  return one.plane && !isPlane(one.plane)
    ? t`Not drawn: the saved plane is invalid. Delete the measurement and measure again.`
    : undefined;
};
