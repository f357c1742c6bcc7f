import type { capturePlane } from './capture-plane.ts';
import type { captureStack } from './capture-stack.ts';

/** Captures the image of a viewport. Loads the code on demand. */
export const takeStackPicture: typeof captureStack = async (view, shown, state) =>
  (await import('./capture-stack.ts')).captureStack(view, shown, state);

/** Captures a plane through volumes. Loads the code on demand. */
export const takePlanePicture: typeof capturePlane = async (plane, describe) =>
  (await import('./capture-plane.ts')).capturePlane(plane, describe);
