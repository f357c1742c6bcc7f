import { type GreyRange, rangeOf, windowOf } from '#viewer/images/grey-window.ts';

/** Across so many pixels a window doubles, or moves by its own width. */
const travel = 250;

/** A window after a drag, in pixels: to the right is wider, downwards is darker, as in the other viewers. */
export const draggedWindow = (range: GreyRange, across: number, down: number): GreyRange => {
  const { width, center } = windowOf(range);
  return rangeOf({ width: Math.max(1, width * 2 ** (across / travel)), center: center + (down / travel) * width });
};

/** Uptake is read from zero: any drag moves the upper end, to the right and upwards to more. */
export const draggedUptake = ({ upper }: GreyRange, across: number, down: number): GreyRange => ({
  lower: 0,
  upper: Math.max(0.1, upper * 2 ** ((across - down) / travel)),
});
