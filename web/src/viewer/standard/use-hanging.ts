import type { StudyDetails } from '@radwork/contract/studies';
import { type UseQueryResult, useQueries } from '@tanstack/react-query';
import { useState } from 'react';
import { usePreference } from '#core/preferences.ts';
import { useIsPhone } from '#viewer/engine/handheld.ts';
import { arranged, arranging, asHangingStudy, keptFor } from '#viewer/hanging/arranged.ts';
import { type Hanging, kindOf, roleOf, seriesToRead } from '#viewer/hanging/hanging.ts';
import type { Layout } from '#viewer/hanging/layouts.ts';
import { useKeptLayout } from '#viewer/hanging/use-kept-layouts.ts';
import { isDocuments, isShowable } from '#viewer/images/series-kinds.ts';
import { type SeriesImage, seriesImages } from '#viewer/images/series-loader.ts';
import type { PaneContent } from './pane-content.ts';

type Read = { isReading: boolean; images: ReadonlyMap<string, readonly SeriesImage[]> };

/** The headers that decide how a study hangs. One that cannot be read decides nothing, and its pane says so. */
const useHeaders = (study: StudyDetails): Read => {
  const wanted = seriesToRead({ series: study.series, description: study.studyDescription });
  const uids = wanted.map(({ seriesInstanceUID }) => seriesInstanceUID);
  const combine = (answers: UseQueryResult<SeriesImage[]>[]): Read => ({
    isReading: answers.some(({ isPending }) => isPending),
    images: new Map(answers.flatMap(({ data }, at) => (data ? [[uids[at] ?? '', data] as const] : []))),
  });
  return useQueries({ queries: uids.map((uid) => seriesImages(study.studyInstanceUID, uid)), combine });
};

/**
 * How a study stands on the screen: by the rules for its kind, as its reader keeps that kind, or, when they have
 * switched that off, with its series in order in the layout that was used last. Once it hangs nothing moves by itself,
 * even when more images arrive.
 */
export const useHanging = (study: StudyDetails) => {
  const [automatic, setAutomatic] = usePreference(...arranging.automatic);
  const [, setLastLayout] = usePreference(...arranging.lastLayout);
  const isSmall = useIsPhone();
  const [byHand, setByHand] = useState<Layout>();
  const [hanging, setHanging] = useState<Hanging>();
  const asked = asHangingStudy(study);
  const kind = kindOf(asked);
  const own = useKeptLayout(keptFor(asked));
  const { isReading, images } = useHeaders(study);

  const isWaiting = isReading && automatic === 'on' && !hanging;
  const hangs = study.series.some((one) => isShowable(one) || isDocuments(one));
  if (!hanging && !isWaiting && hangs) setHanging(arranged(study, images));

  const again = () => {
    setHanging(undefined);
    setByHand(undefined);
  };

  return {
    /** Undefined while it is not known yet what goes where. */
    hanging,
    isWaiting,
    arranged: (hanging?.panes ?? []).map((hung): PaneContent | undefined => hung && { ...hung, study }),
    /** Whether there is room for one picture only, whatever hangs. */
    isSmall,
    layout: isSmall ? ('1x1' as const) : (byHand ?? hanging?.layout ?? '1x1'),
    setLayout: (layout: Layout) => {
      setByHand(layout);
      setLastLayout(layout);
    },
    /** Takes a layout for this study only. */
    useOnce: setByHand,
    isAutomatic: automatic === 'on',
    setAutomatic: (isOn: boolean) => {
      setAutomatic(isOn ? 'on' : 'off');
      again();
    },
    again,
    kind: kind.name,
    isKept: own.kept !== undefined,
    keep: (layout: Layout, contents: readonly (PaneContent | undefined)[]) =>
      own.keep({
        layout,
        roles: contents.map((content) => (content?.study.id === study.id ? roleOf(content, images) : '')),
      }),
    forget: () => {
      own.forget();
      again();
    },
  };
};

export type HangingInUse = ReturnType<typeof useHanging>;
