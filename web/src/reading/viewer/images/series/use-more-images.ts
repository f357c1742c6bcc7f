import { plural, t } from '@lingui/core/macro';
import type { SeriesSummary } from '@radwork/contract/imaging/study-rows';
import { useQuery } from '@tanstack/react-query';
import { instancesRead, seriesImages } from './series-loader.ts';

type CountedSeries = Pick<SeriesSummary, 'seriesInstanceUID' | 'instanceCount'>;

/**
 * Returns the number of instances in the archive that are not loaded yet. Images may arrive after a series was opened.
 * Without this number, the loaded series would look complete. A loaded series does not change while the reader looks at
 * it.
 */
export const useNewImageCount = (studyUid: string, series: CountedSeries | undefined): number => {
  const { seriesInstanceUID = '', instanceCount = 0 } = series ?? {};
  // Reads only the cache.
  const { data } = useQuery({ ...seriesImages(studyUid, seriesInstanceUID), enabled: false });
  return data ? Math.max(0, instanceCount - instancesRead(studyUid, seriesInstanceUID)) : 0;
};

/** Returns a text with the number of new images; '' for none. */
export const newImagesText = (more: number): string =>
  more === 0 ? '' : t`${plural(more, { one: '# new image', other: '# new images' })}`;

/** Returns the label of the button that shows the new images. */
export const showMore = (more: number): string =>
  t`${plural(more, { one: 'Show # new image', other: 'Show # new images' })}`;
