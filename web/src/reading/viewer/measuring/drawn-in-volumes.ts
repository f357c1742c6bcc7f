import type { DrawnPlane, Measurement } from '@radwork/contract/reading/measurements';
import type { Vector } from '#reading/viewer/images/geometry/image-plane.ts';
import type { Drawing } from './drawn-annotation.ts';

/** Measurement in a volume, on none of its images. */
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

/** Measurements in volumes: those of the server, updated by unsent changes (null: deleted). */
export const drawnInVolumes = (
  kept: readonly Measurement[],
  waiting: ReadonlyMap<string, Drawing | null>,
): DrawnInVolume[] => [
  ...kept.flatMap((one) =>
    one.sopInstanceUID !== null || waiting.has(one.id) ? [] : [{ id: one.id, drawn: drawnOf(one), isMine: one.isMine }],
  ),
  ...[...waiting].flatMap(([id, drawn]) =>
    drawn && drawn.sopInstanceUID === null ? [{ id, drawn, isMine: true }] : [],
  ),
];

/** Limits each part to [-1, 1]; rounding can make a unit vector longer. */
const direction = ([left, posterior, superior]: Vector): DrawnPlane['normal'] => {
  const within = (part: number) => Math.min(1, Math.max(-1, part));
  return [within(left), within(posterior), within(superior)];
};

/** Converts a plane for the archive: its normal and its up direction. */
export const drawnPlane = (normal: Vector, up: Vector): DrawnPlane => ({
  normal: direction(normal),
  up: direction(up),
});
