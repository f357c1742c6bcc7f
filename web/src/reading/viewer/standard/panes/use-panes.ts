import { replaceItem } from '#reading/viewer/shell/replace-item.ts';
import type { SeriesSummary, StudyDetails } from '@radwork/contract/imaging/study-rows';
import { useCallback, useState } from 'react';
import { isDocuments, isShowable } from '#reading/viewer/images/series/series-kinds.ts';
import type { View } from '#reading/viewer/engine/stack/shown-image.ts';
import { contentOf, type PaneContent } from './pane-content.ts';
import { isOfSamePatient } from '#reading/viewer/standard/priors/use-patient-priors.ts';
import { useCurrentStudies } from '#reading/viewer/standard/hanging/use-current-studies.ts';

/** Returns the next or previous series of the same study that has images. */
const stepFrom = ({ study, series }: PaneContent, by: 1 | -1): SeriesSummary | undefined => {
  const showable = study.series.filter((one) => isShowable(one) || isDocuments(one));
  const at = showable.findIndex(({ seriesInstanceUID }) => seriesInstanceUID === series.seriesInstanceUID);
  return showable[at + by];
};

const isOther =
  ({ id }: StudyDetails) =>
  (studyId: string): boolean =>
    studyId !== id;

/**
 * Content of `count` panes, and the current pane. A pane for which the user has chosen nothing shows the content from
 * `arranged`. Panes beyond `count` keep their content for a larger layout.
 */
export const usePanes = (study: StudyDetails, arranged: readonly (PaneContent | undefined)[], count: number) => {
  const [chosen, setChosen] = useState<readonly (PaneContent | undefined)[]>([]);
  const [views, setViews] = useState<readonly (View | undefined)[]>([]);
  const [entered, enter] = useState(0);
  const [wide, setWide] = useState<number>();

  const current = Math.min(entered, count - 1);
  const others = useCurrentStudies(
    [...new Set([...chosen, ...arranged.slice(0, count)].flatMap((content) => content?.study.id ?? []))].filter(
      isOther(study),
    ),
  );
  // Uses the current state of each study, which may change while on screen.
  const contentOfPanes = Array.from({ length: count }, (_, pane) => {
    const content = chosen[pane] ?? arranged[pane];
    if (!content) return undefined;
    const { id } = content.study;
    const now = id === study.id ? study : (others.get(id) ?? content.study);
    // The images of the series were rejected.
    if (!now.series.some(({ seriesInstanceUID }) => seriesInstanceUID === content.series.seriesInstanceUID))
      return undefined;
    return { ...content, study: now };
  });
  const isStray = (content: PaneContent | undefined) => content !== undefined && !isOfSamePatient(study, content.study);
  const contents = contentOfPanes.map((content) => (isStray(content) ? undefined : content));
  const enlarged = count > 1 && wide !== undefined && wide < count ? wide : undefined;

  const put = (pane: number, content: PaneContent) => setChosen((before) => replaceItem(before, pane, content));
  const choose = (of: StudyDetails, series: SeriesSummary, part?: PaneContent['part']) =>
    put(current, contentOf(of, series, part));
  const step = (by: 1 | -1) => {
    const now = contents[current];
    const next = now && stepFrom(now, by);
    if (now && next) choose(now.study, next);
  };
  const onView = useCallback((pane: number, view: View | undefined) => {
    setViews((before) => replaceItem(before, pane, view));
  }, []);

  return {
    contents,
    /** Whether each pane is empty because its content has moved to another patient. */
    strays: contentOfPanes.map(isStray),
    current,
    /** Index of the enlarged pane, if any. */
    enlarged,
    enter: (pane: number) => {
      enter(pane);
      // While one pane is enlarged, moving to another pane enlarges that pane.
      setWide((before) => (before === undefined ? undefined : pane));
    },
    enlarge: (pane: number) => setWide(enlarged === pane ? undefined : pane),
    put,
    choose,
    step,
    /** Discards the user's choices of content. */
    rearrange: () => {
      setChosen([]);
      setWide(undefined);
      enter(0);
    },
    views: Array.from({ length: count }, (_, pane) => views[pane]),
    view: views[current],
    onView,
  };
};

export type Panes = ReturnType<typeof usePanes>;
