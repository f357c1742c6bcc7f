import type { SeriesSummary, StudyDetails } from '@radwork/contract/imaging/study-rows';
import { useState } from 'react';
import { usePreference, useRememberedText } from '#core/state/preferences.ts';
import type { SegmentLook } from './paint-segments.ts';

/** Shortcut to show or hide all segments. */
export const segmentKeys = ', s';

const drawable = new Set(['SEG', 'RTSTRUCT']);

/** Returns the series of a study that contain segmentations or structure sets. */
export const segmentSeries = ({ series }: StudyDetails): SeriesSummary[] =>
  series.filter(({ modality }) => drawable.has(modality));

const opacityOf = (text: string): number => {
  const share = Number(text);
  return text !== '' && share >= 0 && share <= 1 ? share : 0.35;
};

/**
 * State of the visible segments of a study and their style. At first no segment is visible, because segments cover the
 * image.
 */
export const useSegmentDisplay = (study: StudyDetails) => {
  const [isOn, setOn] = useState(false);
  const [hidden, setHidden] = useState<ReadonlySet<string>>(new Set());
  const [style, setStyle] = usePreference('viewer-segment-style', ['both', 'outline', 'fill']);
  const [opacity, setOpacity] = useRememberedText('viewer-segment-opacity');
  const series = segmentSeries(study);
  const look: SegmentLook = { style, opacity: opacityOf(opacity) };
  return {
    hasAny: series.length > 0,
    series,
    isOn: isOn && series.length > 0,
    toggle: () => setOn((before) => !before),
    show: () => setOn(true),
    hidden,
    setVisible: (keys: readonly string[], isVisible: boolean) =>
      setHidden((before) => {
        const after = new Set(before);
        for (const key of keys) {
          if (isVisible) after.delete(key);
          else after.add(key);
        }
        return after;
      }),
    look,
    setStyle,
    setOpacity: (share: number) => setOpacity(String(share)),
  };
};

export type SegmentDisplay = ReturnType<typeof useSegmentDisplay>;
