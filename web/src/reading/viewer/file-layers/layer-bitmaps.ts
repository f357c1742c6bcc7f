import type { Color } from '@radwork/dicom/cielab';
import { eachMarkedPixel, type PlaneBits } from '@radwork/dicom/overlay-planes';
import type { colorBytesOf } from '@radwork/dicom/supplemental-palette';

type Size = { rows: number; columns: number };

/** Pixels of an image as red, green, blue and opacity. */
export type Bitmap = Size & { rgba: Uint8ClampedArray<ArrayBuffer> };

/** Differs from the colors of measurements and of presentation states, and is visible on black and on white. */
const planeColor: Color = [38, 214, 100];

/** Draws overlay planes (PS3.3 §C.9.2). Undefined if they mark no pixel. */
export const bitmapOfPlanes = (
  planes: readonly PlaneBits[],
  size: Size,
  color: Color = planeColor,
): Bitmap | undefined => {
  if (planes.length === 0) return undefined;
  const rgba = new Uint8ClampedArray(4 * size.rows * size.columns);
  let isAny = false;
  for (const plane of planes) {
    eachMarkedPixel(plane, size, (index) => {
      rgba.set([...color, 255], 4 * index);
      isAny = true;
    });
  }
  return isAny ? { ...size, rgba } : undefined;
};

/** Draws the pixels that a bitmap shutter hides: its whole area, even if its plane marks a region. */
export const bitmapOfShutter = (bits: PlaneBits | undefined, size: Size, color: Color): Bitmap | undefined =>
  bits && bitmapOfPlanes([{ ...bits, plane: { ...bits.plane, isRegion: false } }], size, color);

/**
 * Draws the stored values that are colors of a supplemental palette (PS3.3 §C.7.6.19). Grays are transparent, so the
 * window applies to them. Undefined if no value is a color.
 */
export const bitmapOfColors = (
  values: ArrayLike<number>,
  { first, tables: [red, green, blue] }: ReturnType<typeof colorBytesOf>,
  size: Size,
): Bitmap | undefined => {
  const rgba = new Uint8ClampedArray(4 * size.rows * size.columns);
  let isAny = false;
  for (let index = 0; index < size.rows * size.columns; index += 1) {
    const value = values[index] ?? -Infinity;
    if (value < first) continue;
    const entry = Math.min(value - first, red.length - 1);
    rgba.set([red[entry] ?? 0, green[entry] ?? 0, blue[entry] ?? 0, 255], 4 * index);
    isAny = true;
  }
  return isAny ? { ...size, rgba } : undefined;
};
