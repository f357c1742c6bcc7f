import { cache, Enums, imageLoader } from '@cornerstonejs/core';
import type { SeriesImage } from '#viewer/images/series-loader.ts';

/** How many frames of a film are asked for at once. */
const atOnce = 4;

/**
 * Fetches all frames of a film in the order in which they are played, until it is told to stop. One that does not come is
 * told of when it is its turn to be shown.
 */
export const fetchFrames = (images: readonly SeriesImage[], signal: AbortSignal) => {
  const waiting = images.values();
  const fetchOn = async () => {
    for (const { imageId } of waiting) {
      if (signal.aborted) return;
      if (cache.isLoaded(imageId)) continue;
      await imageLoader
        .loadAndCacheImage(imageId, { requestType: Enums.RequestType.Prefetch, priority: 0 })
        .catch(() => undefined);
    }
  };
  for (let line = 0; line < atOnce; line += 1) void fetchOn();
};
