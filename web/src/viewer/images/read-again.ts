import { cache } from '@cornerstonejs/core';
import { useQueryClient } from '@tanstack/react-query';
import { seriesImages } from './series-loader.ts';

/**
 * Reads a series anew, with what has come meanwhile. Its pixels go, also those on their way: those of a PET are scaled by
 * what the images said that were there before, and would stand beside others.
 */
export const useReadAgain = () => {
  const client = useQueryClient();
  return (studyUid: string, seriesUid: string) => {
    const { queryKey } = seriesImages(studyUid, seriesUid);
    for (const { imageId } of client.getQueryData(queryKey) ?? []) {
      if (cache.getImageLoadObject(imageId)) cache.removeImageLoadObject(imageId, { force: true });
    }
    void client.resetQueries({ queryKey, exact: true });
  };
};
