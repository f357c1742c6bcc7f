import { cross, dot, plus, times, type Vector } from '#reading/viewer/images/geometry/image-plane.ts';

/** A plane on a screen: one of its points, and unit vectors along the screen axes. */
export type PositionedPlane = { point: Vector; right: Vector; down: Vector };

export const normalOfPlane = ({ right, down }: PositionedPlane): Vector => cross(right, down);

/**
 * Returns the point where three planes at right angles cross. Each plane gives the coordinate of the point along its
 * normal. Undefined unless there are three planes.
 */
export const crossingOf = (planes: readonly PositionedPlane[]): Vector | undefined => {
  if (planes.length !== 3) return undefined;
  return planes
    .map((plane) => times(normalOfPlane(plane), dot(plane.point, normalOfPlane(plane))))
    .reduce((sum, part) => plus(sum, part), [0, 0, 0]);
};

/**
 * Returns the direction of the line where another plane cuts this plane, as seen on the screen: across and down, with
 * length 1.
 */
export const cutDirectionOn = (
  plane: PositionedPlane,
  other: PositionedPlane,
): readonly [across: number, down: number] => {
  const way = cross(normalOfPlane(plane), normalOfPlane(other));
  const [across, down] = [dot(way, plane.right), dot(way, plane.down)];
  const length = Math.hypot(across, down) || 1;
  return [across / length, down / length];
};
