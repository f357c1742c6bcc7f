import type { StudyDetails } from '@radwork/contract/studies';
import { useEffect } from 'react';
import type { ViewBox } from '#viewer/engine/view-box.ts';
import { type Measurements, useMeasurements } from '#viewer/measuring/use-measurements.ts';

type Props = {
  study: StudyDetails;
  viewBox: ViewBox | undefined;
  /** Called whenever what can be done with them changes, and with undefined at the end. Keep it the same. */
  onMeasured: (studyId: string, measured: Measurements | undefined) => void;
};

/** What is measured in a prior while it stands in a pane: it is kept with the prior, as what is drawn there elsewhere. */
export function MeasurementsOfPrior({ study, viewBox, onMeasured }: Props) {
  const measured = useMeasurements(study, viewBox);
  const { canUndo } = measured;

  useEffect(() => {
    onMeasured(study.id, measured);
    // What it holds stays the same but for this.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [onMeasured, study.id, canUndo]);

  useEffect(() => () => onMeasured(study.id, undefined), [onMeasured, study.id]);
  return null;
}
