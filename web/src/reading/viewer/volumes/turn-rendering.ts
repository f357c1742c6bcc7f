import { point3 } from './point3.ts';
import type { VolumeViewport3D } from '@cornerstonejs/core';
import { between, cross, plus, turned, type Vector } from '#reading/viewer/images/geometry/image-plane.ts';

/** Rotation per key press in radians: ten degrees. */
export const turnStep = Math.PI / 18;

/** Rotates the camera around a rendered volume, to the right or up as seen on screen. Angles are in radians. */
export const turnRendering = (viewport: VolumeViewport3D, { right = 0, up = 0 }: { right?: number; up?: number }) => {
  const { focalPoint, position, viewUp, viewPlaneNormal } = viewport.getCamera();
  if (!focalPoint || !position || !viewUp || !viewPlaneNormal) return;
  const across = cross(viewUp, viewPlaneNormal);
  const rotated = (direction: Vector): Vector => turned(turned(direction, viewUp, right), across, -up);
  viewport.setCamera({
    position: point3(plus(focalPoint, rotated(between(focalPoint, position)))),
    viewUp: point3(rotated(viewUp)),
    focalPoint,
  });
  viewport.render();
};
