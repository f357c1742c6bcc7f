import type { Extent } from '#reading/viewer/images/geometry/fitted-scale.ts';
import type { GrayRange } from './gray-window.ts';
import type { PlainGray } from './plain-gray.ts';

/** Values of one frame, row by row. */
export type Numbers = Uint8Array | Uint16Array | Int16Array;

/** Returns the screen pixels per image pixel when the whole image fits. */
export const fittedMagnification = ({ rows, columns }: { rows: number; columns: number }, screen: Extent): number =>
  Math.min(screen.width / columns, screen.height / rows);

/**
 * Returns two values for each screen pixel along one side. `first` is the first of the two neighboring image pixels (-1
 * outside the image), and `share` is the share of the second.
 */
const samplesAlong = (side: number, places: number, magnification: number, shift = 0) => {
  const first = new Int32Array(side);
  const share = new Float32Array(side);
  for (let at = 0; at < side; at += 1) {
    const place = (at + 0.5 - shift - side / 2) / magnification + places / 2 - 0.5;
    const inside = Math.min(places - 1, Math.max(0, place));
    first[at] = place < -0.5 || place > places - 0.5 ? -1 : Math.min(Math.floor(inside), Math.max(0, places - 2));
    share[at] = inside - (first[at] ?? 0);
  }
  return { first, share };
};

/**
 * Renders a frame as RGBA for a screen of this size: fitted, centered or at an edge, and interpolated from four values. Grays run
 * from `range.lower` (black) to `range.upper` (white; PS3.3 §C.11.2.1.2).
 */
export const grayPicture = (
  numbers: Numbers,
  { rows, columns, slope, intercept }: PlainGray,
  range: GrayRange,
  screen: Extent,
  edge?: 'left' | 'right',
): Uint8ClampedArray<ArrayBuffer> => {
  const magnification = fittedMagnification({ rows, columns }, screen);
  const free = (screen.width - columns * magnification) / 2;
  const shift = edge === undefined ? 0 : edge === 'right' ? free : -free;
  const across = samplesAlong(screen.width, columns, magnification, shift);
  const down = samplesAlong(screen.height, rows, magnification);
  const factor = (255 * slope) / (range.upper - range.lower);
  const offset = (255 * (intercept - range.lower)) / (range.upper - range.lower) + 0.5;
  const picture = new Uint32Array(screen.width * screen.height).fill(0xff_00_00_00);
  const [right, below] = [columns > 1 ? 1 : 0, rows > 1 ? columns : 0];
  for (let y = 0; y < screen.height; y += 1) {
    const row = down.first[y] ?? -1;
    const shareBelow = down.share[y] ?? 0;
    for (let x = 0; x < screen.width; x += 1) {
      const column = across.first[x] ?? -1;
      if (row < 0 || column < 0) continue;
      const at = row * columns + column;
      const shareRight = across.share[x] ?? 0;
      const a = numbers[at] ?? 0;
      const c = numbers[at + below] ?? 0;
      const upper = a + ((numbers[at + right] ?? 0) - a) * shareRight;
      const lower = c + ((numbers[at + below + right] ?? 0) - c) * shareRight;
      const number = upper + (lower - upper) * shareBelow;
      const grey = Math.min(255, Math.max(0, factor * number + offset)) | 0;
      picture[y * screen.width + x] = 0xff_00_00_00 | (grey << 16) | (grey << 8) | grey;
    }
  }
  return new Uint8ClampedArray(picture.buffer);
};
