import { cross, dot, plus, times, type Vector } from '#reading/viewer/images/geometry/image-plane.ts';

/** A plane on a screen: a point of it, and the unit vectors of the screen axes. */
export type PositionedPlane = { point: Vector; right: Vector; down: Vector };

export const normalOfPlane = ({ right, down }: PositionedPlane): Vector => cross(right, down);

/**
 * Crossing point of three planes at right angles; each gives the distance along its normal. Undefined unless there are
 * three.
 */
export const crossingOf = (planes: readonly PositionedPlane[]): Vector | undefined => {
  if (planes.length !== 3) return undefined;
  return planes
    .map((plane) => times(normalOfPlane(plane), dot(plane.point, normalOfPlane(plane))))
    .reduce((sum, part) => plus(sum, part), [0, 0, 0]);
};

/** Direction on the screen of one plane in which another cuts it: across and down, length 1. */
export const cutDirectionOn = (
  plane: PositionedPlane,
  other: PositionedPlane,
): readonly [across: number, down: number] => {
  const way = cross(normalOfPlane(plane), normalOfPlane(other));
  const [across, down] = [dot(way, plane.right), dot(way, plane.down)];
  const length = Math.hypot(across, down) || 1;
  return [across / length, down / length];
};
