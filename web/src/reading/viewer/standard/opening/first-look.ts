import type { HungSeries } from '#reading/viewer/hanging/hanging.ts';
import type { GrayRange } from '#reading/viewer/images/gray/gray-window.ts';
import { hounsfieldWindow } from '#reading/viewer/images/values/window-presets.ts';
import { plainGrayOf } from '#reading/viewer/images/gray/plain-gray.ts';
import type { SeriesImage } from '#reading/viewer/images/series/series-loader.ts';

/** First image of a pane and its window. */
export type FirstImageView = { image: SeriesImage; index: number; range: GrayRange };

/**
 * Returns the first view of a pane if it can be drawn without the imaging library. Undefined for rotated or mirrored
 * images, for saved views, and for images that need more than a window.
 */
export const firstLookOf = (
  { start, image: imageNamed, turn, look, window }: HungSeries,
  images: readonly SeriesImage[],
): FirstImageView | undefined => {
  const index = Math.min(start, images.length - 1);
  const image = images[index];
  const grey = image && plainGrayOf(image.header);
  if (!grey || imageNamed || turn || look) return undefined;
  return { image, index, range: hounsfieldWindow(window, image.header) ?? grey.range };
};
