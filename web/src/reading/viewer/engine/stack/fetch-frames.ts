import { cache, Enums, imageLoader } from '@cornerstonejs/core';
import type { SeriesImage } from '#reading/viewer/images/series/series-loader.ts';

/** Maximum number of frames of a cine fetched at the same time. */
const atOnce = 4;

/**
 * Fetches all frames of a cine in playing order until aborted. Errors are ignored here; a failed frame is reported when
 * it is shown.
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
