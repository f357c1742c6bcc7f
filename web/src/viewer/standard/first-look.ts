import type { Hung } from '#viewer/hanging/hanging.ts';
import type { GreyRange } from '#viewer/images/grey-window.ts';
import { hounsfieldWindow } from '#viewer/images/presets.ts';
import { plainGreyOf } from '#viewer/images/plain-grey.ts';
import type { SeriesImage } from '#viewer/images/series-loader.ts';

/** The image with which a pane begins, and the window that it is first seen with. */
export type FirstLook = { image: SeriesImage; index: number; range: GreyRange };

/**
 * With what a pane begins, where that can be drawn without the imaging library: undefined for what is turned, mirrored or
 * to be seen exactly as somebody else saw it, and for images that are more than numbers and a window.
 */
export const firstLookOf = (
  { start, image: named, turn, look, window }: Hung,
  images: readonly SeriesImage[],
): FirstLook | undefined => {
  const index = Math.min(start, images.length - 1);
  const image = images[index];
  const grey = image && plainGreyOf(image.header);
  if (!grey || named || turn || look) return undefined;
  return { image, index, range: hounsfieldWindow(window, image.header) ?? grey.range };
};
