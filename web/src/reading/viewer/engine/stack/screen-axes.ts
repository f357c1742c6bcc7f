import type { Types } from '@cornerstonejs/core';
import { between, times, type Vector } from '#reading/viewer/images/geometry/image-plane.ts';

/** Directions of the screen in patient coordinates, as vectors of length 1. */
export type ScreenAxes = {
  right: Vector;
  down: Vector;
  /** Millimeters per CSS pixel. Image pixels per CSS pixel if the image has no pixel spacing. */
  scale: number;
};

/** Distance between the points used for measuring, in CSS pixels. */
const measured = 100;

/** Measures the screen directions of the drawn image in patient coordinates. They include rotation and mirroring. */
export const screenAxes = (viewport: {
  canvasToWorld: (point: Types.Point2) => Types.Point3;
}): ScreenAxes | undefined => {
  const corner = viewport.canvasToWorld([0, 0]);
  const across = between(corner, viewport.canvasToWorld([measured, 0]));
  const down = between(corner, viewport.canvasToWorld([0, measured]));
  const [width, height] = [Math.hypot(...across), Math.hypot(...down)];
  if (!(width > 0) || !(height > 0)) return undefined;
  return { right: times(across, 1 / width), down: times(down, 1 / height), scale: width / measured };
};
