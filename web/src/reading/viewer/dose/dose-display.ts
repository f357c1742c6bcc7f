import type { SeriesSummary, StudyDetails } from '@radwork/contract/imaging/study-rows';
import { useState } from 'react';
import { usePreference, useRememberedText } from '#core/state/preferences.ts';

/** Shortcut to show or hide the dose. */
export const doseKeys = ', d';

export const doseSeries = ({ series }: StudyDetails): SeriesSummary[] =>
  series.filter(({ modality }) => modality === 'RTDOSE');

const opacityOf = (kept: string): number => {
  const share = Number(kept);
  return kept !== '' && share >= 0 && share <= 1 ? share : 0.35;
};

/** State of the visible dose of a study and its style. At first no dose is visible, because it covers the image. */
export const useDoseDisplay = (study: StudyDetails) => {
  const [isOn, setOn] = useState(false);
  const [chosen, choose] = useState<string>();
  const [reference, setReference] = usePreference('viewer-dose-reference', ['prescription', 'maximum', 'absolute']);
  const [style, setStyle] = usePreference('viewer-dose-style', ['both', 'lines', 'colors']);
  const [opacity, setOpacity] = useRememberedText('viewer-dose-opacity');
  const hasAny = doseSeries(study).length > 0;
  return {
    study,
    hasAny,
    isOn: isOn && hasAny,
    toggle: () => setOn((before) => !before),
    chosen,
    choose,
    reference,
    setReference,
    style,
    setStyle,
    opacity: opacityOf(opacity),
    setOpacity: (share: number) => setOpacity(String(share)),
  };
};

export type DoseDisplay = ReturnType<typeof useDoseDisplay>;
