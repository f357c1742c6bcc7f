import type { Types as Core } from '@cornerstonejs/core';
import {
  AngleTool,
  ArrowAnnotateTool,
  BidirectionalTool,
  CobbAngleTool,
  EllipticalROITool,
  LabelTool,
  LengthTool,
  PlanarFreehandROITool,
  ProbeTool,
  RectangleROITool,
} from '@cornerstonejs/tools';
import type { EventTypes } from '@cornerstonejs/tools/types';
import type { MeasurementForm, MeasurementTool } from '@radwork/contract/reading/measurements';
import { asDrawn, asSaved } from '#reading/viewer/images/geometry/pixel-shape.ts';
import { point3 } from '#reading/viewer/volumes/point3.ts';
import { factorIn } from './manual-calibration.ts';
import { calibratedValues } from './measurement-text.ts';
import { regionNormal } from './region-normal.ts';
import { readInRegions } from './region-reading.ts';

export type Annotation = EventTypes.AnnotationCompletedEventDetail['annotation'];

/** Factor of the manual calibration of a drawing; null for none. The imaging library stores it with the annotation. */
export type ManualCalibration = { byHand?: number | null };

/** Measurement as sent to the server, without its revision. */
export type Drawing = Omit<MeasurementForm, 'revision'>;

/** Names of each tool in the archive and in the imaging library. */
export const kinds: readonly (readonly [MeasurementTool, string])[] = [
  ['LENGTH', LengthTool.toolName],
  ['ANGLE', AngleTool.toolName],
  ['COBB_ANGLE', CobbAngleTool.toolName],
  ['BIDIRECTIONAL', BidirectionalTool.toolName],
  ['ELLIPSE', EllipticalROITool.toolName],
  ['RECTANGLE', RectangleROITool.toolName],
  ['FREEHAND', PlanarFreehandROITool.toolName],
  ['PROBE', ProbeTool.toolName],
  ['ARROW', ArrowAnnotateTool.toolName],
  ['TEXT', LabelTool.toolName],
];

const place = /studies\/[\d.]+\/series\/([\d.]+)\/instances\/([\d.]+)\/frames\/(\d+)/;

/** Converts an annotation to the format of the archive. Undefined if it cannot be saved or still lacks an end point. */
export const drawnBy = (one: Annotation): Drawing | undefined => {
  const { metadata, data } = one;
  const imageId = metadata?.referencedImageId ?? '';
  const [, seriesInstanceUID, sopInstanceUID, frame] = place.exec(imageId) ?? [];
  const tool = toolOf(one);
  const points = pointsOf(one);
  if (!tool || !seriesInstanceUID || !sopInstanceUID || points.length === 0) return undefined;
  const frameOfReference = metadata?.FrameOfReferenceUID ?? '';
  return {
    tool,
    seriesInstanceUID,
    sopInstanceUID,
    frame: Number(frame),
    frameOfReferenceUID: /^[\d.]+$/.test(frameOfReference) ? frameOfReference : null,
    // Keeps full precision, because values computed again must equal the saved ones.
    points: points.map(([x, y, z]) => [...asSaved(imageId, [x, y, z])]),
    plane: null,
    label: labelOf(one),
    values:
      readInRegions(tool, data, imageId)?.values ??
      calibratedValues({ ...data, cachedStats: { ...data.cachedStats } }, `imageId:${imageId}`),
  };
};

export const toolOf = ({ metadata }: Annotation): MeasurementTool | undefined =>
  kinds.find(([, name]) => name === metadata?.toolName)?.[0];

export const labelOf = ({ data }: Annotation): string => (data.label ?? '').trim();

type Outlined = { data: Annotation['data'] & { contour?: { polyline?: Core.Point3[] } } };

/** Returns the points of an annotation. An outline stores its points in `contour` instead of `handles`. */
export const pointsOf = ({ data: { handles, contour } }: Outlined): Core.Point3[] =>
  contour?.polyline ?? handles?.points ?? [];

/** Location of a saved drawing on an image or plane, as `metadata` of the imaging library. */
type Place = Partial<NonNullable<Annotation['metadata']>>;

/** Converts a saved drawing to an annotation at a location. Undefined if the imaging library cannot draw it. */
export const annotationAt = (id: string, drawing: Drawing, place: Place, isLocked: boolean): Annotation | undefined => {
  const name = kinds.find(([tool]) => tool === drawing.tool)?.[1];
  if (!name) return undefined;
  const points = drawing.points.map(([x, y, z]): Core.Point3 => [x, y, z]);
  const isOutline = drawing.tool === 'FREEHAND';
  return {
    annotationUID: id,
    // Makes the imaging library compute the values again from the image.
    invalidated: true,
    highlighted: false,
    isLocked,
    isVisible: true,
    metadata: {
      toolName: name,
      ...place,
      // The imaging library sorts annotations by frame of reference. The entry is left out if the image has no frame of
      // reference.
      ...(drawing.frameOfReferenceUID && { FrameOfReferenceUID: drawing.frameOfReferenceUID }),
    },
    data: {
      handles: {
        points: isOutline ? [] : points,
        activeHandleIndex: null,
        textBox: emptyTextBox(),
      },
      ...(isOutline && { contour: { polyline: points, closed: true } }),
      label: drawing.label,
      // The drawing keeps its own calibration, even if its image gets another one.
      ...({ byHand: factorIn(drawing.values) ?? null } satisfies ManualCalibration),
      cachedStats: {},
    },
  };
};

const corner = (): Core.Point3 => [0, 0, 0];

/**
 * Converts a saved drawing to an annotation on an image. Undefined if it cannot be drawn there. The normal is needed:
 * without it, the imaging library (5.14.0) computes no values for a region.
 */
export const annotationOf = (
  id: string,
  drawing: Drawing,
  imageId: string,
  isLocked: boolean,
): Annotation | undefined => {
  const onImage = { ...drawing, points: drawing.points.map((point) => point3(asDrawn(imageId, point))) };
  const normal = regionNormal(drawing.tool, onImage.points);
  const place = { referencedImageId: imageId, ...(normal && { viewPlaneNormal: point3(normal) }) };
  return annotationAt(id, onImage, place, isLocked);
};

/** The position is empty, so that the imaging library places the text. */
const emptyTextBox = () => ({
  hasMoved: false,
  worldPosition: corner(),
  worldBoundingBox: { topLeft: corner(), topRight: corner(), bottomLeft: corner(), bottomRight: corner() },
});
