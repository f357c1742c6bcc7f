import type { SeriesSummary } from '@radwork/contract/studies';
import { useQuery } from '@tanstack/react-query';
import { instancesRead, seriesImages } from './series-loader.ts';

type Counted = Pick<SeriesSummary, 'seriesInstanceUID' | 'instanceCount'>;

/**
 * How many instances the archive has of a series besides those that were read. A series that was opened while it still
 * came in would pass for whole: once read it stays as it was, so that nothing moves under whoever looks at it.
 */
export const useMore = (studyUid: string, series: Counted | undefined): number => {
  const { seriesInstanceUID = '', instanceCount = 0 } = series ?? {};
  // Only asks what has been read already.
  const { data } = useQuery({ ...seriesImages(studyUid, seriesInstanceUID), enabled: false });
  return data ? Math.max(0, instanceCount - instancesRead(studyUid, seriesInstanceUID)) : 0;
};

/** How many have come, in words; '' for none. */
export const moreInWords = (more: number): string =>
  more === 0 ? '' : `${more} more ${more === 1 ? 'has' : 'have'} come`;
