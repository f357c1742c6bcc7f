import type { StudyDetails } from '@radwork/contract/imaging/study-rows';
import { type UseQueryResult, useQueries } from '@tanstack/react-query';
import { useState } from 'react';
import { usePreference } from '#core/state/preferences.ts';
import { useIsPhone } from '#reading/viewer/engine/handheld.ts';
import {
  initialHanging,
  hangingPreferences,
  asHangingStudy,
  layoutKindOf,
} from '#reading/viewer/hanging/initial-hanging.ts';
import { type Hanging, kindOf, priorRole, roleOf, seriesToRead } from '#reading/viewer/hanging/hanging.ts';
import { bodyPartLabels } from '#reading/viewer/hanging/series-description.ts';
import { type Layout, layoutInSpace } from '#reading/viewer/hanging/layouts.ts';
import { useHangingRules } from '#reading/viewer/hanging/use-hanging-rules.ts';
import { useSavedLayout } from '#reading/viewer/hanging/use-saved-layouts.ts';
import { isDocuments, isShowable } from '#reading/viewer/images/series/series-kinds.ts';
import { type SeriesImage, seriesImages } from '#reading/viewer/images/series/series-loader.ts';
import type { PaneContent } from '#reading/viewer/standard/panes/pane-content.ts';
import { useHungPrior, usePriorToHang } from './use-prior-to-hang.ts';

type HangingImages = { isReading: boolean; images: ReadonlyMap<string, readonly SeriesImage[]> };

/**
 * Loads the image headers on which the hanging depends. Ignores a header that cannot be read; the pane of its series
 * shows the error.
 */
const useHeaders = (study: StudyDetails): HangingImages => {
  const seriesList = seriesToRead({ series: study.series, description: study.studyDescription });
  const uids = seriesList.map(({ seriesInstanceUID }) => seriesInstanceUID);
  const combine = (answers: UseQueryResult<SeriesImage[]>[]): HangingImages => ({
    isReading: answers.some(({ isPending }) => isPending),
    images: new Map(answers.flatMap(({ data }, at) => (data ? [[uids[at] ?? '', data] as const] : []))),
  });
  return useQueries({ queries: uids.map((uid) => seriesImages(study.studyInstanceUID, uid)), combine });
};

/**
 * Hanging of a study by the rules for its kind, with the user's saved layout and the prior of the same kind. If
 * automatic hanging is off, the series hang in order in the last layout. Later images do not move what is on screen.
 * `aspect` is the shape of the space: its width divided by its height.
 */
export const useHanging = (study: StudyDetails, aspect: number) => {
  const [automatic, setAutomatic] = usePreference(...hangingPreferences.automatic);
  const [, setLastLayout] = usePreference(...hangingPreferences.lastLayout);
  const isSmall = useIsPhone();
  const [byHand, setByHand] = useState<Layout>();
  const [withPrior, setWithPrior] = usePreference(...hangingPreferences.prior);
  const [{ hanging, priorId }, setHung] = useState<{ hanging?: Hanging; priorId?: string | undefined }>({});
  const hangingStudy = asHangingStudy(study);
  const kind = kindOf(hangingStudy);
  const own = useSavedLayout(layoutKindOf(hangingStudy));
  const { isReading, images } = useHeaders(study);

  const isShown = study.series.some(isShowable);
  const hangsPrior = automatic === 'on' && withPrior === 'on' && !isSmall && isShown;
  const known = useHangingRules();
  const priors = usePriorToHang(study, hangsPrior);
  const isWaiting = (isReading || priors.isWaiting || known.isWaiting) && automatic === 'on' && !hanging;
  const hangs = isShown || study.series.some(isDocuments);
  if (!hanging && !isWaiting && hangs) {
    const first = initialHanging(study, images, priors.prior !== undefined, known.rules);
    setHung({ hanging: first, priorId: first.priorPanes && priors.prior?.id });
  }
  const ofPrior = useHungPrior(study, hanging, priorId);

  const again = () => {
    setHung({});
    setByHand(undefined);
  };
  const automaticLayout = hanging?.shapes ? layoutInSpace(hanging.shapes, aspect) : hanging?.layout;

  return {
    /** Undefined until the hanging is known. */
    hanging,
    isWaiting,
    arranged: (hanging?.panes ?? []).map((hung, pane): PaneContent | undefined =>
      hung ? { ...hung, study } : ofPrior.contentOf(pane),
    ),
    /** State of an empty pane that waits for the prior. */
    priorStateOf: ofPrior.stateOf,
    /** Whether the screen has room for only one image. */
    isSmall,
    layout: isSmall ? ('1x1' as const) : (byHand ?? automaticLayout ?? '1x1'),
    setLayout: (layout: Layout) => {
      setByHand(layout);
      setLastLayout(layout);
    },
    /** Sets a layout for this study only. */
    useOnce: setByHand,
    isAutomatic: automatic === 'on',
    setAutomatic: (isOn: boolean) => {
      setAutomatic(isOn ? 'on' : 'off');
      again();
    },
    hasPrior: withPrior === 'on',
    setHasPrior: (isOn: boolean) => {
      setWithPrior(isOn ? 'on' : 'off');
      again();
    },
    again,
    kind: [kind.modality, bodyPartLabels[kind.part]].filter(Boolean).join(' '),
    isKept: own.kept !== undefined,
    keep: (layout: Layout, contents: readonly (PaneContent | undefined)[]) =>
      own.keep({
        layout,
        roles: contents.map((content, pane) => {
          if (!content) return '';
          if (content.study.id === study.id) return roleOf(content, images);
          return priorRole(roleOf(hanging?.priorPanes?.[pane] ?? content, images));
        }),
      }),
    forget: () => {
      own.forget();
      again();
    },
  };
};

export type HangingInUse = ReturnType<typeof useHanging>;
