import type { Orientation } from './slide.ts';

const quarter = Math.PI / 2;
/** Tilts up to this many radians are not drawn, because turned tiles have seams. */
const smallTilt = (2 * Math.PI) / 180;

/**
 * Returns how an image of a slide is turned on the screen, from ImageOrientationSlide (PS3.3 §C.8.12.2.1). All slides
 * are drawn alike: the Y axis of the slide points left and its X axis up, as most scanners store images
 * (0\-1\0\-1\0\0). An image of the wrong hand is mirrored. Without a usable orientation, the image is drawn as stored.
 */
export const orientationOf = (cosines: readonly number[]): Orientation => {
  const [rowX = 0, rowY = 0, , columnX = 0, columnY = 0] = cosines;
  const along = { x: -rowY, y: -rowX };
  const down = { x: -columnY, y: -columnX };
  const hand = along.x * down.y - along.y * down.x;
  if (cosines.length !== 6 || Math.abs(Math.abs(hand) - 1) > 0.1) return { angle: 0, isMirrored: false };
  const isMirrored = hand < 0;
  const angle = isMirrored ? Math.atan2(-along.y, -along.x) : Math.atan2(along.y, along.x);
  const snapped = Math.round(angle / quarter) * quarter;
  // Adds zero, because -0 differs from 0 in comparisons of tests.
  return { angle: (Math.abs(angle - snapped) <= smallTilt ? snapped : angle) + 0, isMirrored };
};
