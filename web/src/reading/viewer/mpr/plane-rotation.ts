import { cross, dot, plus, times, type Vector } from '#reading/viewer/images/geometry/image-plane.ts';

/** Orientation of a view: normal and up vector, both of unit length and at right angles. */
export type ViewOrientation = { normal: Vector; up: Vector };

const sideOf = ({ normal, up }: ViewOrientation): Vector => cross(up, normal);

/** Returns a function that rotates a direction by the rotation from one orientation to another. */
export const rotationBetween =
  (from: ViewOrientation, to: ViewOrientation) =>
  (direction: Vector): Vector =>
    [
      times(to.normal, dot(direction, from.normal)),
      times(to.up, dot(direction, from.up)),
      times(sideOf(to), dot(direction, sideOf(from))),
    ].reduce((sum, part) => plus(sum, part));

/** Returns the mean of points. */
export const middleOfPoints = (points: readonly Vector[]): Vector =>
  times(
    points.reduce((sum, point) => plus(sum, point), [0, 0, 0]),
    1 / points.length,
  );
