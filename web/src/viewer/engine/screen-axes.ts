import type { Types } from '@cornerstonejs/core';
import { between, times, type Vector } from '#viewer/images/image-plane.ts';

/** Which way a screen runs in the patient: both directions are of length 1. */
export type ScreenAxes = {
  right: Vector;
  down: Vector;
  /** Millimetres for each CSS pixel; pixels of the image where it does not say how large they are. */
  scale: number;
};

/** How far apart the points are that the axes are measured with, in CSS pixels. */
const measured = 100;

/** Which way the screen runs in the patient, measured on what is drawn, so that turning and mirroring count. */
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
