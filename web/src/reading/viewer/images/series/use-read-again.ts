import { cache } from '@cornerstonejs/core';
import { useQueryClient } from '@tanstack/react-query';
import { seriesImages } from './series-loader.ts';

/**
 * Loads a series again with its new images. Drops its cached pixels and cancels running requests. PET pixels in the
 * cache were scaled without the new images and would not match them.
 */
export const useReadAgain = () => {
  const client = useQueryClient();
  return (studyUid: string, seriesUid: string) => {
    const { queryKey } = seriesImages(studyUid, seriesUid);
    for (const { imageId } of client.getQueryData(queryKey) ?? []) {
      if (cache.getImageLoadObject(imageId)) cache.removeImageLoadObject(imageId, { force: true });
    }
    void client.resetQueries({ queryKey, exact: true });
    // A slide in this series has a query of its own (slides/load-slide.ts).
    void client.resetQueries({ queryKey: ['viewer', 'slide', studyUid, seriesUid], exact: true });
  };
};
