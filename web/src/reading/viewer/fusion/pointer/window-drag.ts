import { type GrayRange, rangeOf, windowOf } from '#reading/viewer/images/gray/gray-window.ts';

/** Drag in pixels that doubles a window, or moves it by its own width. */
const travel = 250;

/** Returns the window after a drag in pixels: right is wider, down is darker, as in the other viewers. */
export const draggedWindow = (range: GrayRange, across: number, down: number): GrayRange => {
  const { width, center } = windowOf(range);
  return rangeOf({ width: Math.max(1, width * 2 ** (across / travel)), center: center + (down / travel) * width });
};

/** The window of uptake starts at zero: a drag moves only the upper end, right and up raise it. */
export const draggedUptake = ({ upper }: GrayRange, across: number, down: number): GrayRange => ({
  lower: 0,
  upper: Math.max(0.1, upper * 2 ** ((across - down) / travel)),
});
