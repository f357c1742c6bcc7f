import { eachMarkedPixel, type PlaneBits } from '@radwork/dicom/overlay-planes';

type Size = { rows: number; columns: number };

/** Pixels of an image as red, green, blue and opacity. */
export type Bitmap = Size & { rgba: Uint8ClampedArray<ArrayBuffer> };

/** Differs from the colors of measurements and of presentation states, and is visible on black and on white. */
const planeColor = [38, 214, 100, 255] as const;

/** Draws overlay planes (PS3.3 §C.9.2). Undefined if they mark no pixel. */
export const bitmapOfPlanes = (planes: readonly PlaneBits[], size: Size): Bitmap | undefined => {
  if (planes.length === 0) return undefined;
  const rgba = new Uint8ClampedArray(4 * size.rows * size.columns);
  let isAny = false;
  for (const plane of planes) {
    eachMarkedPixel(plane, size, (index) => {
      rgba.set(planeColor, 4 * index);
      isAny = true;
    });
  }
  return isAny ? { ...size, rgba } : undefined;
};
