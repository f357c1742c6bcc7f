import type { Extent } from '#reading/viewer/images/geometry/fitted-scale.ts';
import type { GrayRange } from './gray-window.ts';
import { drawPlane, type PlacedPlane } from './plane-picture.ts';
import type { PlainGray } from './plain-gray.ts';

/** Values of one frame, row by row. */
export type Numbers = Uint8Array | Uint16Array | Int16Array;

/** Returns the screen pixels per image pixel when the whole image fits. */
export const fittedMagnification = ({ rows, columns }: { rows: number; columns: number }, screen: Extent): number =>
  Math.min(screen.width / columns, screen.height / rows);

/**
 * Returns where an image lies when the whole image fits: its left and upper edge in pixels of the screen, and the screen
 * pixels per image pixel. The image is centered or at an edge.
 */
export const fittedPlace = (
  { rows, columns }: { rows: number; columns: number },
  screen: Extent,
  edge?: 'left' | 'right',
) => {
  const magnification = fittedMagnification({ rows, columns }, screen);
  const free = screen.width - columns * magnification;
  const shares = { left: 0, right: 1, center: 0.5 };
  return {
    left: free * shares[edge ?? 'center'],
    top: (screen.height - rows * magnification) / 2,
    magnification,
  };
};

/** Number of grays in a table. More than a screen shows, so that rounding stays below one gray. */
const grays = 4096;

const grayTable = Uint32Array.from({ length: grays }, (_, index) => {
  const gray = Math.round((255 * index) / (grays - 1));
  return 0xff_00_00_00 | (gray << 16) | (gray << 8) | gray;
});

/**
 * Renders a frame as RGBA for a screen of this size: fitted, centered or at an edge, and interpolated from four values. Grays run
 * from `range.lower` (black) to `range.upper` (white; PS3.3 §C.11.2.1.2).
 */
export const grayPicture = (
  values: Numbers,
  { rows, columns, slope, intercept }: PlainGray,
  range: GrayRange,
  screen: Extent,
  edge?: 'left' | 'right',
): Uint8ClampedArray<ArrayBuffer> => {
  const { left, top, magnification } = fittedPlace({ rows, columns }, screen, edge);
  const plane: PlacedPlane = {
    values,
    rows,
    columns,
    origin: { column: (0.5 - left) / magnification - 0.5, row: (0.5 - top) / magnification - 0.5 },
    across: { column: 1 / magnification, row: 0 },
    down: { column: 0, row: 1 / magnification },
    isSmooth: true,
  };
  // Converts the window to stored values, with half an entry beyond each end, so that both ends have their own gray.
  const [lower, upper] = [(range.lower - intercept) / slope, (range.upper - intercept) / slope];
  const half = (upper - lower) / (grays - 1) / 2;
  const picture = new Uint32Array(screen.width * screen.height);
  const table = { entries: grayTable, lower: lower - half, upper: upper + half };
  drawPlane(picture, { left: 0, top: 0, ...screen }, plane, table);
  return new Uint8ClampedArray(picture.buffer);
};
