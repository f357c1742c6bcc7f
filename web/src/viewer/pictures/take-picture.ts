import type { takeOfPlane } from './plane-picture.ts';
import type { takeOfStack } from './stack-picture.ts';

/** Captures the image of a viewport. The code loads on demand. */
export const takeStackPicture: typeof takeOfStack = async (view, shown, state) =>
  (await import('./stack-picture.ts')).takeOfStack(view, shown, state);

/** Captures a plane through volumes. The code loads on demand. */
export const takePlanePicture: typeof takeOfPlane = async (plane, describe) =>
  (await import('./plane-picture.ts')).takeOfPlane(plane, describe);
