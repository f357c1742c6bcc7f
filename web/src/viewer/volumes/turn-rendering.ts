import { point3 } from './point3.ts';
import type { VolumeViewport3D } from '@cornerstonejs/core';
import { between, cross, plus, turned, type Vector } from '#viewer/images/image-plane.ts';

/** How far a key turns it, in radians: ten degrees. */
export const turnStep = Math.PI / 18;

/** Walks round a rendered volume: to the right about what is up on the screen, or upwards about what is across. In radians. */
export const turnRendering = (viewport: VolumeViewport3D, { right = 0, up = 0 }: { right?: number; up?: number }) => {
  const { focalPoint, position, viewUp, viewPlaneNormal } = viewport.getCamera();
  if (!focalPoint || !position || !viewUp || !viewPlaneNormal) return;
  const across = cross(viewUp, viewPlaneNormal);
  const walk = (direction: Vector): Vector => turned(turned(direction, viewUp, right), across, -up);
  viewport.setCamera({
    position: point3(plus(focalPoint, walk(between(focalPoint, position)))),
    viewUp: point3(walk(viewUp)),
    focalPoint,
  });
  viewport.render();
};
