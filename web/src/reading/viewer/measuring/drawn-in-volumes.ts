import type { DrawnPlane, Measurement } from '@radwork/contract/reading/measurements';
import type { Vector } from '#reading/viewer/images/geometry/image-plane.ts';
import type { Drawing } from './drawn-annotation.ts';

/** Measurement at a position in a volume, not on one of its images. */
export type DrawnInVolume = { id: string; drawn: Drawing; isMine: boolean };

/** Returns the drawing of a measurement from the server. */
export const drawnOf = ({
  tool,
  seriesInstanceUID,
  sopInstanceUID,
  frame,
  frameOfReferenceUID,
  points,
  plane,
  label,
  values,
}: Measurement): Drawing => ({
  tool,
  seriesInstanceUID,
  sopInstanceUID,
  frame,
  frameOfReferenceUID,
  points,
  plane,
  label,
  values,
});

/** Returns the measurements in volumes: those of the server, with unsent changes applied (null: deleted). */
export const drawnInVolumes = (
  measurements: readonly Measurement[],
  waiting: ReadonlyMap<string, Drawing | null>,
): DrawnInVolume[] => [
  ...measurements.flatMap((measurement) =>
    measurement.sopInstanceUID !== null || waiting.has(measurement.id)
      ? []
      : [{ id: measurement.id, drawn: drawnOf(measurement), isMine: measurement.isMine }],
  ),
  ...[...waiting].flatMap(([id, drawing]) =>
    drawing && drawing.sopInstanceUID === null ? [{ id, drawn: drawing, isMine: true }] : [],
  ),
];

/** Limits each component to [-1, 1], because rounding may make it slightly larger. */
const direction = ([left, posterior, superior]: Vector): DrawnPlane['normal'] => {
  const within = (part: number) => Math.min(1, Math.max(-1, part));
  return [within(left), within(posterior), within(superior)];
};

/** Converts a plane to the format of the archive: its normal and its up direction. */
export const drawnPlane = (normal: Vector, up: Vector): DrawnPlane => ({
  normal: direction(normal),
  up: direction(up),
});
