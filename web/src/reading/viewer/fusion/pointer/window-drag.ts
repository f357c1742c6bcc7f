import { type GrayRange, rangeOf, windowOf } from '#reading/viewer/images/gray/gray-window.ts';

/** Length of a drag, in pixels, that doubles a window or moves it by its own width. */
const travel = 250;

/**
 * Returns the window after a drag in pixels. A drag to the right widens the window; a drag down darkens the image, as
 * in the other viewers.
 */
export const draggedWindow = (range: GrayRange, across: number, down: number): GrayRange => {
  const { width, center } = windowOf(range);
  return rangeOf({ width: Math.max(1, width * 2 ** (across / travel)), center: center + (down / travel) * width });
};

/**
 * Returns the window of uptake after a drag. The window starts at zero, so only its upper end moves. A drag to the
 * right or up raises the upper end.
 */
export const draggedUptake = ({ upper }: GrayRange, across: number, down: number): GrayRange => ({
  lower: 0,
  upper: Math.max(0.1, upper * 2 ** ((across - down) / travel)),
});
