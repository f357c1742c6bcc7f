import { t } from '@lingui/core/macro';
import type { StudyDetails } from '@radwork/contract/imaging/study-rows';
import { type Shortcut, useShortcuts } from '#ui/keyboard/shortcuts.ts';
import { useDoseDisplay } from '#reading/viewer/dose/dose-display.ts';
import { mayHaveOutlines } from '#reading/viewer/report-outlines/may-have-outlines.ts';
import { useSegmentDisplay } from '#reading/viewer/segments/segment-display.ts';

/** Shortcuts of the layers over planes. In MPR, the comma of the standard viewer rotates planes. */
export const planeLayerKeys = { dose: '/ d', segments: '/ s' } as const;

/** State of the layers over the planes of a study: dose, structure sets and outlines of reports. */
export const usePlaneLayers = (study: StudyDetails) => {
  const dose = useDoseDisplay(study);
  const segments = useSegmentDisplay(study);
  const shortcuts: Shortcut[] = [
    ...(dose.hasAny ? [{ keys: planeLayerKeys.dose, does: t`Show or hide the dose`, run: () => dose.toggle() }] : []),
    ...(segments.hasAny
      ? [{ keys: planeLayerKeys.segments, does: t`Show or hide the segments`, run: () => segments.toggle() }]
      : []),
  ];
  useShortcuts(t`Layers`, shortcuts);
  return { study, dose, segments, hasReports: mayHaveOutlines(study) };
};

export type PlaneLayersShown = ReturnType<typeof usePlaneLayers>;
