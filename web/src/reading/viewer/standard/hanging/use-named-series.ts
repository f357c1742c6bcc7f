import type { StudyDetails } from '@radwork/contract/imaging/study-rows';
import { useSearch } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { isDocuments, isShowable } from '#reading/viewer/images/series/series-kinds.ts';
import type { Panes } from '#reading/viewer/standard/panes/use-panes.ts';

/**
 * Opens the series named in the address, once. Series that are shown over images, such as segmentations, have no pane.
 */
export const useNamedSeries = (study: StudyDetails, { choose }: Pick<Panes, 'choose'>) => {
  const seriesUid = useSearch({ strict: false, select: ({ series }) => series });
  const opened = useRef<string>(undefined);
  useEffect(() => {
    if (!seriesUid || opened.current === seriesUid) return;
    opened.current = seriesUid;
    const series = study.series.find(({ seriesInstanceUID }) => seriesInstanceUID === seriesUid);
    if (series && (isShowable(series) || isDocuments(series))) choose(study, series);
  }, [seriesUid, study, choose]);
};
