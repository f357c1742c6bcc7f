import type { SeriesSummary, StudyDetails } from '@radwork/contract/studies';
import type { Hung } from '#viewer/hanging/hanging.ts';

/** What stands in a pane: a series, of the study that is read or of another one of its patient, and how it begins. */
export type PaneContent = Hung & { study: StudyDetails };

export const contentOf = (study: StudyDetails, series: SeriesSummary): PaneContent => ({ study, series, start: 0 });

export const isSameContent = (one: PaneContent | undefined, other: PaneContent | undefined): boolean =>
  one?.study.id === other?.study.id &&
  one?.series.seriesInstanceUID === other?.series.seriesInstanceUID &&
  one?.start === other?.start;
