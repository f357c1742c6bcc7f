import type { SeriesSummary, StudyDetails } from '@radwork/contract/imaging/study-rows';
import type { HungSeries } from '#reading/viewer/hanging/hanging.ts';

/** Content of a pane: a series of the study or of a prior, and its first view. */
export type PaneContent = HungSeries & { study: StudyDetails };

export const contentOf = (study: StudyDetails, series: SeriesSummary, part?: PaneContent['part']): PaneContent => ({
  study,
  series,
  start: 0,
  part,
});

export const isSameContent = (one: PaneContent | undefined, other: PaneContent | undefined): boolean =>
  one?.study.id === other?.study.id &&
  one?.series.seriesInstanceUID === other?.series.seriesInstanceUID &&
  one?.part === other?.part &&
  one?.start === other?.start;
