import { cross, dot, plus, times, type Vector } from '#viewer/images/image-plane.ts';

/** A plane as it lies on a screen: some point of it, and the directions, of length 1, in which the screen runs. */
export type LyingPlane = { point: Vector; right: Vector; down: Vector };

export const normalOfPlane = ({ right, down }: LyingPlane): Vector => cross(right, down);

/**
 * The point where three planes meet that stand at right angles to each other: each gives how far along its normal.
 * Undefined unless there are three.
 */
export const crossingOf = (planes: readonly LyingPlane[]): Vector | undefined => {
  if (planes.length !== 3) return undefined;
  return planes
    .map((plane) => times(normalOfPlane(plane), dot(plane.point, normalOfPlane(plane))))
    .reduce((sum, part) => plus(sum, part), [0, 0, 0]);
};

/** The way on the screen of one plane along which another cuts through it: across and down, of length 1. */
export const cutOn = (plane: LyingPlane, other: LyingPlane): readonly [across: number, down: number] => {
  const way = cross(normalOfPlane(plane), normalOfPlane(other));
  const [across, down] = [dot(way, plane.right), dot(way, plane.down)];
  const length = Math.hypot(across, down) || 1;
  return [across / length, down / length];
};
