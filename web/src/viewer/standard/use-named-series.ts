import type { StudyDetails } from '@radwork/contract/studies';
import { useSearch } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { isDocuments, isShowable } from '#viewer/images/series-kinds.ts';
import type { Panes } from './panes.ts';

/** Opens the series in the address, once. Series shown over images have no pane of their own. */
export const useNamedSeries = (study: StudyDetails, { choose }: Pick<Panes, 'choose'>) => {
  const named = useSearch({ strict: false, select: ({ series }) => series });
  const opened = useRef<string>(undefined);
  useEffect(() => {
    if (!named || opened.current === named) return;
    opened.current = named;
    const series = study.series.find(({ seriesInstanceUID }) => seriesInstanceUID === named);
    if (series && (isShowable(series) || isDocuments(series))) choose(study, series);
  }, [named, study, choose]);
};
