import type { capturePlane } from './plane-picture.ts';
import type { captureStack } from './stack-picture.ts';

/** Captures the image of a viewport. The code loads on demand. */
export const takeStackPicture: typeof captureStack = async (view, shown, state) =>
  (await import('./stack-picture.ts')).captureStack(view, shown, state);

/** Captures a plane through volumes. The code loads on demand. */
export const takePlanePicture: typeof capturePlane = async (plane, describe) =>
  (await import('./plane-picture.ts')).capturePlane(plane, describe);
