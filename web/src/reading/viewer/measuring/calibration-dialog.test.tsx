import type { Measurement, MeasuredValue } from '@radwork/contract/reading/measurements';
import { readHeader } from '@radwork/dicom/header';
import { patients } from '@radwork/phantom/patients';
import { computedRadiography, ctVolume } from '@radwork/phantom/studies';
import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import { show } from '#test/screen.tsx';
import { type DicomJson, tag, textOf } from '#reading/viewer/images/header/dicom-json.ts';
import { CalibrationDialog } from './calibration-dialog.tsx';
import { reasonAgainst } from './manual-calibration.ts';
import type { Measurements } from './use-measurements.ts';

const about = { seed: 'calibrate', patient: patients[0], studyDate: '20261112', accessionNumber: 'CALIBRATE' };

/** Line with a length of 200 in the unit of its image. */
const line = (value: Omit<MeasuredValue, 'quantity' | 'value'>) =>
  ({
    id: 'm1',
    tool: 'LENGTH',
    values: [{ quantity: 'LENGTH', value: 200, ...value }],
  }) as unknown as Measurement;

/** Opens the dialog for a line on the image of a file. Records the calibration that the user applies. */
const ask = (files: Iterable<{ bytes: Buffer }>, one: Measurement) => {
  const [file] = files;
  const header = readHeader(file?.bytes ?? Buffer.alloc(0)).dataset as DicomJson;
  const calibrate = vi.fn<Measurements['calibrate']>(() => true);
  const onImage = { modality: textOf(header, tag.Modality), header, hasRegions: false };
  const measured = {
    calibrate,
    reasonAgainstCalibrating: ({ values }: Measurement) => reasonAgainst(values, onImage),
  } as unknown as Measurements;
  const onClose = vi.fn<() => void>();
  show(<CalibrationDialog one={one} measured={measured} onClose={onClose} />);
  return { calibrate, onClose };
};

test('the dialog refuses to calibrate a CT and says why', async () => {
  ask(ctVolume({ ...about, slices: 1, size: 16 }), line({ unit: 'mm' }));

  expect(await screen.findByText(/^CT images contain their size/)).toBeDefined();
  expect(screen.queryByLabelText('True length in mm')).toBeNull();
  expect(screen.queryByRole('button', { name: 'Calibrate' })).toBeNull();
});

test('a radiograph is calibrated by the typed length', async () => {
  const one = line({ unit: 'mm', scale: 'DETECTOR' });
  const { calibrate, onClose } = ask(computedRadiography({ ...about, size: 64 }), one);

  await userEvent.type(await screen.findByLabelText('True length in mm'), '100');
  await userEvent.click(screen.getByRole('button', { name: 'Calibrate' }));

  expect(calibrate).toHaveBeenCalledExactlyOnceWith(one, 0.5);
  expect(onClose).toHaveBeenCalledOnce();
});

test('the dialog removes a calibration', async () => {
  const one = line({ unit: 'mm', scale: 'BY_HAND', factor: 0.5 });
  const { calibrate } = ask(computedRadiography({ ...about, size: 64 }), one);

  await userEvent.click(await screen.findByRole('button', { name: 'Remove calibration' }));

  expect(calibrate).toHaveBeenCalledExactlyOnceWith(one, null);
});
