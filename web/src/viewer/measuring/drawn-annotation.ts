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
import type { MeasurementForm, MeasurementTool } from '@radwork/contract/measurements';
import { point3 } from '#viewer/volumes/point3.ts';
import { factorIn } from './hand-calibration.ts';
import { readOff } from './measurement-text.ts';
import { regionNormal } from './region-normal.ts';
import { readInRegions } from './region-reading.ts';

/** What the imaging library draws. */
export type Annotation = EventTypes.AnnotationCompletedEventDetail['annotation'];

/** By which factor a drawing is read that somebody has calibrated by hand; null for none. The library carries it along. */
export type ByHand = { byHand?: number | null };

/** What is drawn, without which of its revisions it is. */
export type Drawn = Omit<MeasurementForm, 'revision'>;

/** By which names the library and the archive know what is drawn on an image. */
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

/** What is drawn, as the archive keeps it; undefined for what is not kept, and for a line that has no end yet. */
export const drawnBy = (one: Annotation): Drawn | undefined => {
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
    // To the last digit: what is worked out from it again must be what was read off.
    points: points.map(([x, y, z]) => [x, y, z]),
    plane: null,
    label: labelOf(one),
    values:
      readInRegions(tool, data, imageId)?.values ??
      readOff({ ...data, cachedStats: { ...data.cachedStats } }, `imageId:${imageId}`),
  };
};

export const toolOf = ({ metadata }: Annotation): MeasurementTool | undefined =>
  kinds.find(([, name]) => name === metadata?.toolName)?.[0];

export const labelOf = ({ data }: Annotation): string => (data.label ?? '').trim();

type Outlined = { data: Annotation['data'] & { contour?: { polyline?: Core.Point3[] } } };

/** The points of an outline lie elsewhere; it has no handles. */
export const pointsOf = ({ data: { handles, contour } }: Outlined): Core.Point3[] =>
  contour?.polyline ?? handles?.points ?? [];

/** Where something that is kept is drawn: on an image, or on a plane. The library calls it its metadata. */
type Place = Partial<NonNullable<Annotation['metadata']>>;

/** What is kept, as the library draws it at a place; undefined for what it cannot draw. */
export const annotationAt = (id: string, drawn: Drawn, place: Place, isLocked: boolean): Annotation | undefined => {
  const name = kinds.find(([tool]) => tool === drawn.tool)?.[1];
  if (!name) return undefined;
  const points = drawn.points.map(([x, y, z]): Core.Point3 => [x, y, z]);
  const isOutline = drawn.tool === 'FREEHAND';
  return {
    annotationUID: id,
    // What it says is worked out anew from the image.
    invalidated: true,
    highlighted: false,
    isLocked,
    isVisible: true,
    metadata: {
      toolName: name,
      ...place,
      // The library files what is drawn under it, and under none where the image names none.
      ...(drawn.frameOfReferenceUID && { FrameOfReferenceUID: drawn.frameOfReferenceUID }),
    },
    data: {
      handles: {
        points: isOutline ? [] : points,
        activeHandleIndex: null,
        textBox: emptyTextBox(),
      },
      ...(isOutline && { contour: { polyline: points, closed: true } }),
      label: drawn.label,
      // What is kept stays as it was read, whatever its image is calibrated to meanwhile.
      ...({ byHand: factorIn(drawn.values) ?? null } satisfies ByHand),
      cachedStats: {},
    },
  };
};

const corner = (): Core.Point3 => [0, 0, 0];

/**
 * What is kept, as the library draws it on the image with this id; undefined for what it cannot draw on an image. Of a
 * region that does not say where it looks the library (5.14.0) reads no numbers, and says nothing of that.
 */
export const annotationOf = (id: string, drawn: Drawn, imageId: string, isLocked: boolean): Annotation | undefined => {
  const normal = regionNormal(drawn.tool, drawn.points);
  const place = { referencedImageId: imageId, ...(normal && { viewPlaneNormal: point3(normal) }) };
  return annotationAt(id, drawn, place, isLocked);
};

/** The words beside it go where the library puts them. */
const emptyTextBox = () => ({
  hasMoved: false,
  worldPosition: corner(),
  worldBoundingBox: { topLeft: corner(), topRight: corner(), bottomLeft: corner(), bottomRight: corner() },
});
