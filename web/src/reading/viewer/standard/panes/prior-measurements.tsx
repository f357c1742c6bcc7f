import type { StudyDetails } from '@radwork/contract/imaging/studies';
import { useEffect } from 'react';
import type { ViewBox } from '#reading/viewer/engine/stack/view-box.ts';
import { type Measurements, useMeasurements } from '#reading/viewer/measuring/use-measurements.ts';

type Props = {
  study: StudyDetails;
  viewBox: ViewBox | undefined;
  /** Called on each change, and with undefined at the end. Needs a stable identity. */
  onMeasured: (studyId: string, measured: Measurements | undefined) => void;
};

/** Measurements of a prior while it is in a pane. They are saved with the prior. */
export function PriorMeasurements({ study, viewBox, onMeasured }: Props) {
  const measured = useMeasurements(study, viewBox);
  const { canUndo } = measured;

  useEffect(() => {
    onMeasured(study.id, measured);
    // Other parts of `measured` never change.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [onMeasured, study.id, canUndo]);

  useEffect(() => () => onMeasured(study.id, undefined), [onMeasured, study.id]);
  return null;
}
