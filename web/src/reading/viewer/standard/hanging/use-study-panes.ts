import { t } from '@lingui/core/macro';
import type { StudyDetails } from '@radwork/contract/imaging/study-rows';
import type { HangingRule } from '@radwork/contract/reading/hanging-rules';
import { useState } from 'react';
import { usePreference } from '#core/state/preferences.ts';
import { toast } from '#core/browser/toasts.ts';
import { panesOf } from '#reading/viewer/hanging/layouts.ts';
import type { DraggedSeries } from '#reading/viewer/shell/dragged-series.ts';
import type { PaneContent } from '#reading/viewer/standard/panes/pane-content.ts';
import { usePanes } from '#reading/viewer/standard/panes/use-panes.ts';
import { useBreastPlacement } from './use-breast-placement.ts';
import { useHanging } from './use-hanging.ts';
import { useSpace } from './use-space.ts';
import { useLinkedDisplay } from './use-linked-display.ts';
import { useLinkedScroll } from './use-linked-scroll.ts';
import { usePatientPriors } from '#reading/viewer/standard/priors/use-patient-priors.ts';

const useToggle = (name: string, atFirst: 'on' | 'off') => {
  const [kept, setKept] = usePreference(name, atFirst === 'on' ? ['on', 'off'] : ['off', 'on']);
  const isOn = kept === 'on';
  return { isOn, set: (on: boolean) => setKept(on ? 'on' : 'off'), toggle: () => setKept(isOn ? 'off' : 'on') };
};

const byRule = { on: true, off: false, usual: undefined };

/** Applies the linked scrolling of a rule until the user sets it. The user's setting for other studies stays. */
const useByRule = (own: ReturnType<typeof useToggle>, rule: HangingRule | undefined) => {
  const [setUnder, noteSet] = useState<HangingRule>();
  const ofRule = rule && setUnder !== rule ? byRule[rule.linkedScroll] : undefined;
  if (ofRule === undefined) return own;
  const set = (on: boolean) => {
    own.set(on);
    noteSet(rule);
  };
  return { isOn: ofRule, set, toggle: () => set(!ofRule) };
};

const otherThan =
  ({ id }: StudyDetails) =>
  (content: PaneContent | undefined): [string, StudyDetails][] =>
    content && content.study.id !== id ? [[content.study.id, content.study]] : [];

/** State of the panes of a study: hanging, links and priors. */
export const useStudyPanes = (study: StudyDetails) => {
  const [spaceRef, aspect] = useSpace();
  const hanging = useHanging(study, aspect);
  const panes = usePanes(study, hanging.arranged, panesOf(hanging.layout));
  const links = {
    scroll: useByRule(useToggle('viewer-link-scroll', 'on'), hanging.hanging?.rule),
    looks: useToggle('viewer-link-looks', 'off'),
    lines: useToggle('viewer-reference-lines', 'on'),
  };
  const priors = usePatientPriors(study);
  useLinkedScroll(panes.views, panes.current, links.scroll.isOn);
  useBreastPlacement(panes.views, panes.enlarged);
  useLinkedDisplay(panes.views, panes.current, links.looks.isOn);

  const { contents, current, views } = panes;
  const compare = () => {
    const isOfStudy = (pane: number) => contents[pane]?.study.id === study.id;
    const mine = [current, ...contents.keys()].find(isOfStudy);
    const content = mine === undefined ? hanging.arranged[0] : contents[mine];
    const view = mine === undefined ? undefined : views[mine];
    void priors.compare(content, view, (prior) => {
      links.scroll.set(true);
      if (hanging.isSmall) {
        panes.put(0, prior);
        return;
      }
      hanging.useOnce('1x2');
      if (content && mine !== 0) {
        const start = view?.viewport.getCurrentImageIdIndex() ?? 0;
        panes.put(0, { ...content, start, image: undefined, look: undefined });
      }
      panes.put(1, prior);
      panes.enter(0);
    });
  };
  const again = () => {
    panes.rearrange();
    hanging.again();
  };

  return {
    hanging: {
      ...hanging,
      setAutomatic: (isOn: boolean) => {
        panes.rearrange();
        hanging.setAutomatic(isOn);
      },
      setHasPrior: (isOn: boolean) => {
        panes.rearrange();
        hanging.setHasPrior(isOn);
      },
    },
    spaceRef,
    panes,
    links,
    priors,
    /** Other studies shown in panes, each once. */
    others: [...new Map(contents.flatMap(otherThan(study))).values()],
    drop: (pane: number, series: DraggedSeries) => {
      const content = priors.dropped(series);
      if (!content) return;
      panes.put(pane, content);
      panes.enter(pane);
    },
    keep: () => {
      hanging.keep(hanging.layout, contents);
      const { kind } = hanging;
      toast.success(kind ? t`Layout saved for ${kind}` : t`Layout saved for this kind of study`);
    },
    hands: {
      onLayout: hanging.setLayout,
      onPane: panes.enter,
      onEnlarge: () => panes.enlarge(current),
      onAgain: again,
      onLinkScroll: links.scroll.toggle,
      onLinkLooks: links.looks.toggle,
      onLines: links.lines.toggle,
      onCompare: compare,
    },
  };
};
