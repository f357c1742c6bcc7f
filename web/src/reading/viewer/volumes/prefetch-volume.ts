import type { StudyDetails } from '@radwork/contract/imaging/study-rows';
import type { QueryClient } from '@tanstack/react-query';
import { isAnatomy, isUptake } from '#reading/viewer/fusion/pet/fusion-pairs.ts';
import { firstFrame } from '#reading/viewer/images/series/first-frame.ts';
import { seriesImages } from '#reading/viewer/images/series/series-loader.ts';
import { firstPlaneOf } from '#reading/viewer/mpr/first-plane-view.ts';
import { firstFitSeries } from './first-fit-series.ts';

/**
 * Fetches the headers from which MPR or fusion makes volumes, while the imaging library still loads, and the image that
 * MPR draws first. `named` is the series in the address of MPR, by ID or UID. Returns whether this image can be drawn
 * without the imaging library. Rejects if MPR cannot fetch them. The viewer fetches again and shows the error.
 */
export const prefetchVolume = async (
  client: QueryClient,
  mode: 'mpr' | 'fusion',
  study: StudyDetails,
  named: string | undefined,
): Promise<boolean> => {
  const { studyInstanceUID: studyUid } = study;
  if (mode === 'fusion') {
    for (const { seriesInstanceUID } of study.series.filter((series) => isAnatomy(series) || isUptake(series))) {
      void client.prefetchQuery(seriesImages(studyUid, seriesInstanceUID));
    }
    return false;
  }
  const uid = named
    ? study.series.find((series) => [series.id, series.seriesInstanceUID].includes(named))?.seriesInstanceUID
    : await client.fetchQuery(firstFitSeries(study));
  if (!uid) return false;
  const first = firstPlaneOf(study, await client.fetchQuery(seriesImages(studyUid, uid)));
  return first !== undefined && (await client.fetchQuery(firstFrame(first.image))) !== null;
};
