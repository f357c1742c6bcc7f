import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, NumberInput } from '@mantine/core';
import type { Measurement } from '@radwork/contract/reading/measurements';
import { summaryOf } from '@radwork/contract/reading/measurement-text';
import { useState } from 'react';
import { Dialog } from '#ui/dialogs/dialog.tsx';
import { DialogForm } from '#ui/dialogs/dialog-form.tsx';
import { Notice } from '#ui/feedback/notice.tsx';
import { factorFor, factorIn } from './manual-calibration.ts';
import type { Measurements } from './use-measurements.ts';

type Props = { one: Measurement; measured: Measurements; onClose: () => void };

/** Asks for the true length of a line and calibrates the image of the line with it. Can also remove the calibration. */
export function CalibrationDialog({ one, measured, onClose }: Props) {
  const reason = measured.reasonAgainstCalibrating(one);
  return (
    <Dialog opened onClose={onClose} title={t`Calibrate by hand`} size={440}>
      {reason ? (
        <Notice tone="warning">{reason}</Notice>
      ) : (
        <Calibration one={one} measured={measured} onClose={onClose} />
      )}
    </Dialog>
  );
}

/** Longest accepted length, in mm. Nothing in a body is longer. */
const longest = 3000;

const notShown = t`Show the image of this line, then calibrate.`;

function Calibration({ one, measured, onClose }: Props) {
  const [typed, setTyped] = useState<number | string>('');
  const [failed, setFailed] = useState(false);
  const factor = typeof typed === 'number' && typed <= longest ? factorFor(one.values, typed) : undefined;
  const length = summaryOf(one.values);
  const isAtDetector = one.values.some(({ scale }) => scale === 'DETECTOR');
  const apply = (typedFactor: number | null) => {
    if (measured.calibrate(one, typedFactor)) onClose();
    else setFailed(true);
  };
  return (
    <DialogForm
      verb={t`Calibrate`}
      action={{ isPending: false, error: failed ? new Error(notShown) : null }}
      isBarred={factor === undefined}
      onSubmit={(event) => {
        event.preventDefault();
        if (factor !== undefined) apply(factor);
      }}
      onCancel={onClose}
    >
      <p>
        <Trans>
          The line measures <strong>{length}</strong>. Draw it along an object of known size, such as a ball or a ruler,
          at the depth that you measure.
        </Trans>
      </p>
      <NumberInput
        label={t`True length in mm`}
        data-autofocus
        min={0}
        max={longest}
        decimalScale={2}
        hideControls
        value={typed}
        onChange={setTyped}
        description={t`Applies to this image only. The distance may differ in other images.`}
      />
      {factor !== undefined && isAtDetector && factor > 1 && (
        <Notice tone="warning">
          {t`This length is greater than the length at the detector, but an object is shorter than its projection. Check the number.`}
        </Notice>
      )}
      <Notice tone="info">
        {t`Your lengths and areas on this image use this calibration and are labeled “calibrated by hand”. Measurements of other users do not change.`}
      </Notice>
      {factorIn(one.values) !== undefined && (
        <Button variant="default" onClick={() => apply(null)}>
          {t`Remove calibration`}
        </Button>
      )}
    </DialogForm>
  );
}
