import type { takeOfPlane } from './plane-picture.ts';
import type { takeOfStack } from './stack-picture.ts';

/** The image in a viewport as a picture to take away. What it takes is fetched when it is asked for. */
export const takeStackPicture: typeof takeOfStack = async (view, shown, state) =>
  (await import('./stack-picture.ts')).takeOfStack(view, shown, state);

/** The same of a plane through volumes. */
export const takePlanePicture: typeof takeOfPlane = async (plane, describe) =>
  (await import('./plane-picture.ts')).takeOfPlane(plane, describe);
