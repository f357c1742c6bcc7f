import { cross, dot, plus, times, type Vector } from '#viewer/images/image-plane.ts';

/** How a plane is looked at: where it looks and what is up on it, both of length 1 and at right angles. */
export type Looking = { normal: Vector; up: Vector };

const sideOf = ({ normal, up }: Looking): Vector => cross(up, normal);

/** The turn that takes one way of looking to another, for any other direction. */
export const turnOnto =
  (from: Looking, to: Looking) =>
  (direction: Vector): Vector =>
    [
      times(to.normal, dot(direction, from.normal)),
      times(to.up, dot(direction, from.up)),
      times(sideOf(to), dot(direction, sideOf(from))),
    ].reduce((sum, part) => plus(sum, part));

/** The middle of points. */
export const middleOfPoints = (points: readonly Vector[]): Vector =>
  times(
    points.reduce((sum, point) => plus(sum, point), [0, 0, 0]),
    1 / points.length,
  );
