import { cache } from '@cornerstonejs/core';
import { useQueryClient } from '@tanstack/react-query';
import { seriesImages } from './series-loader.ts';

/**
 * Reads a series anew, with what has come meanwhile. Its pixels go: those of a PET were scaled by what the first of its
 * images alone said.
 */
export const useReadAgain = () => {
  const client = useQueryClient();
  return (studyUid: string, seriesUid: string) => {
    const { queryKey } = seriesImages(studyUid, seriesUid);
    for (const { imageId } of client.getQueryData(queryKey) ?? []) {
      if (cache.isLoaded(imageId)) cache.removeImageLoadObject(imageId, { force: true });
    }
    void client.resetQueries({ queryKey, exact: true });
  };
};
