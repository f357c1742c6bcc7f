import { textOf } from '@radwork/dicom/dataset';
import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { file, haveWhatUploadsNeed, openScreen, sentHeaders } from '#test/upload-screen.tsx';

haveWhatUploadsNeed();

test('two patients without a Patient ID stay separate, because their studies differ', async () => {
  const unknown = { PatientID: '', PatientName: 'UNKNOWN^TRAUMA' };
  const { user, input } = await openScreen();

  await user.upload(input, [
    file('IM1', { ...unknown, StudyDate: '20261120' }),
    file('IM2', { ...unknown, StudyInstanceUID: '2.25.201', SOPInstanceUID: '2.25.203' }),
  ]);
  await user.click(await screen.findByRole('switch', { name: /^De-identify before sending/ }));

  expect(screen.getByText('2 studies of 2 patients')).toBeDefined();
  expect(screen.getByRole('textbox', { name: 'New ID of UNKNOWN, TRAUMA, study 2026-11-20' })).toBeDefined();
  expect(screen.getByRole('textbox', { name: 'New ID of UNKNOWN, TRAUMA, study 2.25.201' })).toBeDefined();

  await user.click(screen.getByRole('button', { name: 'Upload 2 files' }));
  const [one, other] = await sentHeaders();

  expect(textOf(other?.dataset ?? {}, 'PatientID')).not.toBe(textOf(one?.dataset ?? {}, 'PatientID'));
});

test("two spellings of a patient's name within a study stay one patient, with a warning", async () => {
  const { user, input } = await openScreen();

  await user.upload(input, [file('IM1'), file('IM2', { PatientName: 'DOE^JANE^M', SOPInstanceUID: '2.25.104' })]);
  await user.click(await screen.findByRole('switch', { name: /^De-identify before sending/ }));

  expect(screen.getByText('1 study of 1 patient')).toBeDefined();
  expect(screen.getByText(/^1 patient has one ID but different names within a study/)).toBeDefined();

  await user.click(screen.getByRole('button', { name: 'Upload 2 files' }));
  const [one, other] = await sentHeaders();

  expect(textOf(other?.dataset ?? {}, 'PatientID')).toBe(textOf(one?.dataset ?? {}, 'PatientID'));
  expect(other?.studyInstanceUID).toBe(one?.studyInstanceUID);
});

test('two patients with one Patient ID within a study stay two patients', async () => {
  const { user, input } = await openScreen();

  await user.upload(input, [
    file('IM1', { PatientName: 'Doe^John', PatientBirthDate: '19500101', PatientSex: 'M' }),
    file('IM2', {
      PatientName: 'Roe^Jane',
      PatientBirthDate: '19880808',
      PatientSex: 'F',
      SOPInstanceUID: '2.25.104',
    }),
  ]);
  await user.click(await screen.findByRole('switch', { name: /^De-identify before sending/ }));

  expect(screen.getByText('1 study of 2 patients')).toBeDefined();

  await user.click(screen.getByRole('button', { name: 'Upload 2 files' }));
  const [one, other] = await sentHeaders();

  expect(textOf(other?.dataset ?? {}, 'PatientID')).not.toBe(textOf(one?.dataset ?? {}, 'PatientID'));
});
