import type { StudyDetails } from '@radwork/contract/imaging/study-rows';
import { useQueries } from '@tanstack/react-query';
import { useCallback, useMemo } from 'react';
import { seriesImages } from '#reading/viewer/images/series/series-loader.ts';
import { isAnatomy, isUptake, type Pairing, pairsOf } from './fusion-pairs.ts';

/** State of finding the pairs. The headers of the series must load first. */
export type PairingLoad =
  | { state: 'reading' }
  | { state: 'failed'; error: unknown; retry: () => void }
  | { state: 'read'; pairing: Pairing };

/** Returns the pairs of a study that can be fused. `namedSeries` lists the series named in the address. */
export const usePairing = (study: StudyDetails, namedSeries: string): PairingLoad => {
  const candidates = useMemo(
    () => study.series.filter((series) => isAnatomy(series) || isUptake(series)),
    [study.series],
  );
  const queries = candidates.map((series) => seriesImages(study.studyInstanceUID, series.seriesInstanceUID));
  const read = useQueries({ queries });
  const images = read.map(({ data }) => data);
  const isRead = images.every((image) => image !== undefined);
  const pair = useCallback(
    () =>
      pairsOf(
        candidates.flatMap((series, index) => {
          const imagesOfSeries = images[index];
          return imagesOfSeries ? [{ series, images: imagesOfSeries }] : [];
        }),
        namedSeries.split(',').filter(Boolean),
      ),
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- The images of a series are read once and do not change.
    [candidates, namedSeries, ...images],
  );
  const pairing = useMemo(() => (isRead ? pair() : undefined), [isRead, pair]);
  const failed = read.find(({ error }) => error !== null);
  if (failed) {
    const retry = () => read.filter(({ error }) => error !== null).forEach(({ refetch }) => void refetch());
    return { state: 'failed', error: failed.error, retry };
  }
  return pairing ? { state: 'read', pairing } : { state: 'reading' };
};
