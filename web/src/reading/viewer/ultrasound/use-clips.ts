import type { StudyDetails } from '@radwork/contract/imaging/study-rows';
import { useQueries } from '@tanstack/react-query';
import { useMemo } from 'react';
import { type Clip, clipsOf } from '#reading/viewer/images/cine/clips.ts';
import { useReadAgain } from '#reading/viewer/images/series/use-read-again.ts';
import { instancesRead, type SeriesImage, seriesImages } from '#reading/viewer/images/series/series-loader.ts';

/** Modalities of ultrasound (PS3.3 §C.7.3.1.1.1). */
const ultrasound = ['US', 'IVUS', 'BDUS'];

/**
 * Clips per loaded series. As long as a series is unchanged, its clips stay the same objects, because new objects would
 * remount their panes.
 */
const known = new WeakMap<readonly SeriesImage[], readonly Clip[]>();

const clipsIn = (seriesInstanceUID: string, images: readonly SeriesImage[]): readonly Clip[] => {
  const clips = known.get(images) ?? clipsOf(seriesInstanceUID, images);
  known.set(images, clips);
  return clips;
};

/** Returns all clips of the ultrasound series of a study, in series order. */
export const useClips = ({ studyInstanceUID, series }: StudyDetails) => {
  const ultrasoundSeries = useMemo(() => series.filter(({ modality }) => ultrasound.includes(modality)), [series]);
  const answers = useQueries({
    queries: ultrasoundSeries.map(({ seriesInstanceUID }) => seriesImages(studyInstanceUID, seriesInstanceUID)),
    combine: (results) => ({
      images: results.map(({ data }) => data),
      isPending: results.some(({ isPending }) => isPending),
      error: results.find(({ error }) => error)?.error ?? null,
      failed: results.filter(({ error }) => error).length,
      retry: () => {
        for (const { error, refetch } of results) if (error) void refetch();
      },
    }),
  });
  const { images } = answers;
  const clips = useMemo(
    () =>
      images.flatMap((ofSeries, at) =>
        ofSeries ? clipsIn(ultrasoundSeries[at]?.seriesInstanceUID ?? '', ofSeries) : [],
      ),
    [images, ultrasoundSeries],
  );
  const readAgain = useReadAgain();
  const behind = ultrasoundSeries.flatMap(({ seriesInstanceUID, instanceCount }, at) => {
    const more = images[at] ? instanceCount - instancesRead(studyInstanceUID, seriesInstanceUID) : 0;
    return more > 0 ? [{ seriesInstanceUID, more }] : [];
  });
  return {
    ...answers,
    clips,
    /** Number of instances that arrived after their series was loaded. */
    more: behind.reduce((sum, { more }) => sum + more, 0),
    readMore: () => {
      for (const { seriesInstanceUID } of behind) readAgain(studyInstanceUID, seriesInstanceUID);
    },
    hasSeries: ultrasoundSeries.length > 0,
    others: series.length - ultrasoundSeries.length,
  };
};
