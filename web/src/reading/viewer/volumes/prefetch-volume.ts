import type { StudyDetails } from '@radwork/contract/imaging/study-rows';
import type { QueryClient } from '@tanstack/react-query';
import { isAnatomy, isUptake } from '#reading/viewer/fusion/pet/fusion-pairs.ts';
import { seriesImages } from '#reading/viewer/images/series/series-loader.ts';
import { firstFitSeries } from './first-fit-series.ts';

/**
 * Fetches the headers from which MPR or fusion makes volumes, while the imaging library still loads. `named` is the
 * series in the address of MPR, by ID or UID. Ignores errors, because the viewer fetches again and shows them.
 */
export const prefetchVolume = (
  client: QueryClient,
  mode: 'mpr' | 'fusion',
  study: StudyDetails,
  named: string | undefined,
) => {
  if (mode === 'mpr' && !named) {
    void client.prefetchQuery(firstFitSeries(study));
    return;
  }
  const wanted = study.series.filter((series) =>
    mode === 'mpr'
      ? [series.id, series.seriesInstanceUID].includes(named ?? '')
      : isAnatomy(series) || isUptake(series),
  );
  for (const { seriesInstanceUID } of wanted) {
    void client.prefetchQuery(seriesImages(study.studyInstanceUID, seriesInstanceUID));
  }
};
