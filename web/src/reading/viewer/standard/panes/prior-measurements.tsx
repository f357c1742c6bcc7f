import type { StudyDetails } from '@radwork/contract/imaging/study-rows';
import { useEffect } from 'react';
import type { ViewBox } from '#reading/viewer/engine/stack/view-box.ts';
import { type Measurements, useMeasurements } from '#reading/viewer/measuring/use-measurements.ts';

type Props = {
  study: StudyDetails;
  viewBox: ViewBox | undefined;
  /** Called at each change, and with undefined at unmount. Must not change between renders. */
  onMeasured: (studyId: string, measured: Measurements | undefined) => void;
};

/** Loads and saves the measurements of a prior while a pane shows it. They are saved with the prior. */
export function PriorMeasurements({ study, viewBox, onMeasured }: Props) {
  const measured = useMeasurements(study, viewBox);
  const { canUndo } = measured;

  useEffect(() => {
    onMeasured(study.id, measured);
    // The other parts of `measured` never change.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [onMeasured, study.id, canUndo]);

  useEffect(() => () => onMeasured(study.id, undefined), [onMeasured, study.id]);
  return null;
}
