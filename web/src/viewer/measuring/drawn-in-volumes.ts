import type { DrawnPlane, Measurement } from '@radwork/contract/measurements';
import type { Vector } from '#viewer/images/image-plane.ts';
import type { Drawn } from './drawn-annotation.ts';

/** Something that is measured in a volume, on no image of it. */
export type DrawnInVolume = { id: string; drawn: Drawn; isMine: boolean };

/** What is drawn of what the server has. */
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
}: Measurement): Drawn => ({
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

/** What is measured in volumes: as the server has it, but for what waits to be sent to it (null: it is taken away). */
export const drawnInVolumes = (
  kept: readonly Measurement[],
  waiting: ReadonlyMap<string, Drawn | null>,
): DrawnInVolume[] => [
  ...kept.flatMap((one) =>
    one.sopInstanceUID !== null || waiting.has(one.id) ? [] : [{ id: one.id, drawn: drawnOf(one), isMine: one.isMine }],
  ),
  ...[...waiting].flatMap(([id, drawn]) =>
    drawn && drawn.sopInstanceUID === null ? [{ id, drawn, isMine: true }] : [],
  ),
];

/** A direction of length 1 whose last digits may say that it is longer. */
const direction = ([left, posterior, superior]: Vector): DrawnPlane['normal'] => {
  const within = (part: number) => Math.min(1, Math.max(-1, part));
  return [within(left), within(posterior), within(superior)];
};

/** A plane as it is kept: where it looks and what is up on it. */
export const drawnPlane = (normal: Vector, up: Vector): DrawnPlane => ({
  normal: direction(normal),
  up: direction(up),
});
