import type { StudyDetails } from '@radwork/contract/imaging/study-rows';
import { queryOptions } from '@tanstack/react-query';
import { isShowable } from '#reading/viewer/images/series/series-kinds.ts';
import { seriesImages } from '#reading/viewer/images/series/series-loader.ts';
import { volumeFitness } from './volume-fitness.ts';

/**
 * Returns the UID of the first series that can form a volume. If there is none, returns the first series with images,
 * whose page shows the reason. Null without images. Loads the series one after the other.
 */
export const firstFitSeries = ({ studyInstanceUID, series }: StudyDetails) =>
  queryOptions({
    queryKey: [
      'viewer',
      'first fit series',
      studyInstanceUID,
      series.map(({ seriesInstanceUID }) => seriesInstanceUID),
    ],
    queryFn: async ({ client }) => {
      let first: string | null = null;
      for (const { seriesInstanceUID } of series.filter(isShowable)) {
        const images = await client.fetchQuery(seriesImages(studyInstanceUID, seriesInstanceUID));
        if (volumeFitness(images).isFit) return seriesInstanceUID;
        if (images.length > 0) first ??= seriesInstanceUID;
      }
      return first;
    },
    staleTime: Number.POSITIVE_INFINITY,
  });
