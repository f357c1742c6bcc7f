import { type Rejection, rejections } from '@radwork/contract/imaging/rejections';
import { type SeriesMove, seriesMoves } from '@radwork/contract/imaging/series-moves';
import { studies } from '@radwork/contract/imaging/studies';
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { answer, serve, show } from '#test/screen.tsx';
import { studyDetails } from '#test/studies.ts';
import { pageOf, study } from '#test/study-list.tsx';
import type { PatientPickerType } from './move-series-dialog.tsx';
import { RejectedImages } from './rejected-images.tsx';
import { RunningMoves } from './running-moves.tsx';
import { SeriesMenu } from './series-menu.tsx';

const john = {
  id: '0190aaaa-0000-7000-8000-0000000000a2',
  patientName: 'Roe, John',
  patientId: 'P-2',
  gender: 'M' as const,
  dateOfBirth: '1960-01-01',
};

/** Offers one patient without a search. */
const PatientPicker: PatientPickerType = ({ onPick }) => (
  <button
    onClick={() =>
      onPick({ ...john, issuer: '', phoneNumber: '', email: '', studyCount: 1, lastStudyDate: null, priority: null })
    }
  >
    {john.patientName}
  </button>
);

const preview = {
  images: 240,
  isWholeStudy: false,
  keyImages: 2,
  measurements: 1,
  hasFinalizedReport: true,
  isOnLegalHold: true,
};

const rejection: Rejection = {
  id: '0190aaaa-0000-7000-8000-000000000901',
  title: '113001',
  reasonCode: '111210',
  reasonMeaning: '',
  comment: 'Breathing',
  isNote: false,
  withheld: null,
  isMove: false,
  movedTo: null,
  rejectedBy: 'Mona Haddad',
  rejectedDate: '2026-11-30T08:00:00Z',
  images: 1,
  missing: 0,
  series: [
    {
      seriesInstanceUID: '2.25.11',
      seriesNumber: 3,
      seriesDescription: 'Axial 1.0 mm',
      modality: 'CT',
      images: 1,
      instanceNumber: 12,
    },
  ],
};

test('rejecting a series says what is hidden, sends the reason, and offers undo', async () => {
  const details = studyDetails();
  const calls = serve(
    answer(rejections.preview, () => preview),
    answer(rejections.reject, () => rejection),
    answer(rejections.restore, () => undefined),
  );
  show(<SeriesMenu study={details} seriesInstanceUID="2.25.11" PatientPicker={PatientPicker} />, 'ADMIN');
  await userEvent.click(screen.getByRole('button', { name: 'Actions on series Axial 1.0 mm' }));
  await userEvent.click(await screen.findByRole('menuitem', { name: 'Reject series…' }));

  const dialog = within(await screen.findByRole('dialog', { name: 'Reject images?' }));
  expect(await dialog.findByText(/240 images are hidden from all readers/)).toBeDefined();
  expect(dialog.getByText(/The finalized report refers to 2 key images among these/)).toBeDefined();
  expect(dialog.getByText(/on legal hold. Nothing is deleted/)).toBeDefined();
  await userEvent.selectOptions(dialog.getByLabelText('Quality problem'), 'Motion blur');
  await userEvent.type(dialog.getByLabelText('Comment'), 'Breathing');
  await userEvent.click(dialog.getByRole('button', { name: 'Reject images' }));

  expect(await screen.findByText('Images rejected')).toBeDefined();
  expect(calls.find(({ method }) => method === 'POST')?.body).toEqual({
    seriesInstanceUID: '2.25.11',
    title: '113001',
    reason: '111210',
    comment: 'Breathing',
  });
  await userEvent.click(screen.getByRole('button', { name: 'Undo' }));
  expect(await screen.findByText('Images restored')).toBeDefined();
});

const running: SeriesMove = {
  id: '0190aaaa-0000-7000-8000-000000000902',
  seriesInstanceUID: '2.25.11',
  state: 'COPYING',
  images: 240,
  copied: 0,
  cause: '',
  studyId: 's9',
  rejectionId: null,
  movedBy: 'Mona Haddad',
  movedDate: '2026-11-30T08:00:00Z',
};
const done: SeriesMove = { ...running, state: 'DONE', copied: 240, rejectionId: rejection.id };

test('moving a series names both patients, sends the chosen study, shows the progress and offers undo', async () => {
  let copied = 0;
  const calls = serve(
    answer(rejections.preview, () => preview),
    answer(studies.ofPatient, ({ url }) =>
      pageOf(url.pathname.includes(john.id) ? [study({ id: 's9', patient: john })] : []),
    ),
    answer(seriesMoves.move, () => running),
    answer(seriesMoves.ofStudy, () => [(copied += 120) < 240 ? { ...running, copied } : done]),
    answer(rejections.restore, () => undefined),
  );
  show(<SeriesMenu study={studyDetails()} seriesInstanceUID="2.25.11" PatientPicker={PatientPicker} />, 'ADMIN');
  await userEvent.click(screen.getByRole('button', { name: 'Actions on series Axial 1.0 mm' }));
  await userEvent.click(await screen.findByRole('menuitem', { name: 'Move series…' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Move series?' }));
  await userEvent.click(dialog.getByRole('button', { name: 'Another patient…' }));
  await userEvent.click(dialog.getByRole('button', { name: 'Roe, John' }));

  expect(dialog.getByText('Phantom, Ada')).toBeDefined();
  expect(dialog.getByText('Roe, John')).toBeDefined();
  expect(await dialog.findByText(/240 images are copied with new UIDs, and hidden here/)).toBeDefined();
  await waitFor(() => expect(dialog.getAllByRole('option')).toHaveLength(2));
  await userEvent.selectOptions(dialog.getByLabelText('Study'), 's9');
  await userEvent.click(dialog.getByRole('button', { name: 'Move series' }));

  expect(await screen.findByText('120 of 240 images copied')).toBeDefined();
  expect(await screen.findByText('Series moved', {}, { timeout: 10_000 })).toBeDefined();
  expect(calls.find(({ method }) => method === 'POST')?.body).toEqual({
    seriesInstanceUID: '2.25.11',
    toStudyId: 's9',
  });
  await userEvent.click(screen.getByRole('button', { name: 'Undo' }));
  expect(await screen.findByText('Images restored')).toBeDefined();
});

test('the list of rejected images says who rejected what and why, and restores it', async () => {
  let isRestored = false;
  serve(
    answer(rejections.list, () => (isRestored ? [] : [rejection])),
    answer(rejections.restore, () => {
      isRestored = true;
    }),
  );
  show(<RejectedImages studyId="s1" />, 'ADMIN');

  const list = within(await screen.findByRole('region', { name: 'Rejected images' }));
  expect(list.getByText('Rejected for quality reasons · Motion blur · Breathing')).toBeDefined();
  expect(list.getByText('3 · Axial 1.0 mm · image 12')).toBeDefined();
  expect(list.getByText(/Mona Haddad · 2026-11-30/)).toBeDefined();
  await userEvent.click(list.getByRole('button', { name: /Restore images/ }));

  await waitFor(() => expect(screen.queryByRole('region')).toBeNull());
});

test('a note that was not followed shows the reason and cannot be restored', async () => {
  const note: Rejection = { ...rejection, isNote: true, title: '113039', withheld: 'LEGAL_HOLD' };
  serve(answer(rejections.list, () => [note]));
  show(<RejectedImages studyId="s1" />, 'ADMIN');

  expect(await screen.findByText('Not followed: the study is on legal hold')).toBeDefined();
  expect(screen.getByText(/Rejection note from Mona Haddad/)).toBeDefined();
  expect(screen.queryByRole('button')).toBeNull();
});

test('a user without the right to delete studies has neither menu nor list', () => {
  serve();
  show(
    <>
      <SeriesMenu study={studyDetails()} seriesInstanceUID="2.25.11" PatientPicker={PatientPicker} />
      <RejectedImages studyId="s1" />
    </>,
    'RADIOLOGIST',
  );

  expect(screen.queryByRole('button')).toBeNull();
  expect(screen.queryByRole('region')).toBeNull();
});

test('the study page shows a running move, which can be canceled, and why another one failed', async () => {
  let state: SeriesMove['state'] = 'COPYING';
  const failed: SeriesMove = { ...running, id: '2', state: 'FAILED', cause: 'An image is compressed as a whole file.' };
  serve(
    answer(seriesMoves.ofStudy, () => [{ ...running, state, copied: 60 }, failed]),
    answer(seriesMoves.cancel, () => {
      state = 'CANCELED';
      return { ...running, state };
    }),
  );
  show(<RunningMoves study={studyDetails()} />, 'ADMIN');

  expect(await screen.findByText('60 of 240 images copied')).toBeDefined();
  expect(screen.getByText(/The series was not moved. An image is compressed/)).toBeDefined();
  await userEvent.click(screen.getByRole('button', { name: 'Cancel move' }));

  expect(await screen.findByText('Move canceled')).toBeDefined();
  await waitFor(() => expect(screen.queryByText('60 of 240 images copied')).toBeNull());
});

test('a move that fails while the dialog is open says why, and leads back to the form', async () => {
  const failed: SeriesMove = { ...running, state: 'FAILED', cause: 'Images of the series have changed.' };
  serve(
    answer(rejections.preview, () => preview),
    answer(studies.ofPatient, () => pageOf([])),
    answer(seriesMoves.move, () => running),
    answer(seriesMoves.ofStudy, () => [failed]),
  );
  show(<SeriesMenu study={studyDetails()} seriesInstanceUID="2.25.11" PatientPicker={PatientPicker} />, 'ADMIN');
  await userEvent.click(screen.getByRole('button', { name: 'Actions on series Axial 1.0 mm' }));
  await userEvent.click(await screen.findByRole('menuitem', { name: 'Move series…' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Move series?' }));
  await waitFor(() => expect(dialog.getByRole('button', { name: 'Move series' })).toHaveProperty('disabled', false));
  await userEvent.click(dialog.getByRole('button', { name: 'Move series' }));

  expect(await dialog.findByText(/The series was not moved. Images of the series have changed./)).toBeDefined();
  await userEvent.click(dialog.getByRole('button', { name: 'Back' }));
  expect(await dialog.findByRole('button', { name: 'Move series' })).toBeDefined();
});
