import type { SeriesSummary } from '@radwork/contract/studies';
import { useCallback, useState } from 'react';
import { isShowable } from './series-kinds.ts';
import type { View } from './shown-image.ts';

const withItem = <Item>(items: readonly Item[], at: number, item: Item): Item[] => {
  const changed = [...items];
  changed[at] = item;
  return changed;
};

/**
 * Which series stands in which pane, and which pane the tools and keys act on. Panes are filled with the first series
 * that can be shown; `step` goes to the next or the previous one in the current pane.
 */
export const usePanes = (series: readonly SeriesSummary[], count: number) => {
  const showable = series.filter(isShowable);
  const [chosen, setChosen] = useState<readonly (SeriesSummary | undefined)[]>([]);
  const [views, setViews] = useState<readonly (View | undefined)[]>([]);
  const [entered, enter] = useState(0);

  const current = Math.min(entered, count - 1);
  const seriesIn = Array.from({ length: count }, (_, pane) => chosen[pane] ?? showable[pane]);
  const choose = (one: SeriesSummary) => setChosen((before) => withItem(before, current, one));
  const step = (by: 1 | -1) => {
    const at = showable.findIndex(
      ({ seriesInstanceUID }) => seriesInstanceUID === seriesIn[current]?.seriesInstanceUID,
    );
    const next = showable[at + by];
    if (next) choose(next);
  };
  const onView = useCallback(
    (pane: number, view: View | undefined) => {
      setViews((before) => withItem(before, pane, view));
    },
    [setViews],
  );

  return { seriesIn, current, enter, choose, step, view: views[current], onView };
};

export type Panes = ReturnType<typeof usePanes>;
