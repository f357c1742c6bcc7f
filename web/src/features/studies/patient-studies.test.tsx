import { studies } from '@radwork/contract/studies';
import { createMemoryHistory, createRootRoute, createRouter, RouterProvider } from '@tanstack/react-router';
import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { answer, refuse, serve, show } from '#test/screen.tsx';
import { pageOf, study } from '#test/study-list.tsx';
import { PatientStudies } from './patient-studies.tsx';

const openStudiesOfPatient = async (...answers: ReturnType<typeof answer>[]) => {
  const calls = serve(...answers);
  const routeTree = createRootRoute({
    staticData: { can: 'public' },
    component: () => <PatientStudies patientId="p1" />,
  });
  const router = createRouter({ routeTree, history: createMemoryHistory() });
  show(<RouterProvider router={router as never} />, 'ADMIN');
  await screen.findByRole('table', { name: 'studies of the patient' });
  return () => calls.filter(({ url }) => url.pathname === '/api/studies/patient/p1').map(({ url }) => url.searchParams);
};

test('a patient’s studies are the list with the patient’s identifier, and nothing to delete them', async () => {
  await openStudiesOfPatient(answer(studies.ofPatient, () => pageOf([study()])));

  expect(await screen.findByRole('cell', { name: 'MRN1' })).toBeDefined();
  expect(screen.getAllByRole('columnheader').map(({ textContent }) => textContent)).toEqual([
    'Show series',
    'Patient Name',
    'Patient ID',
    'Study Date',
    'Modality',
    'Status',
    'Series count',
    'Description',
    'Priority',
    'Actions',
  ]);
  expect(screen.getByRole('link', { name: 'View details of Bergström, Chidi' })).toBeDefined();
  expect(screen.queryByRole('button', { name: /Delete study/ })).toBeNull();
});

test('the first and the last page are one press away, and the server sorts', async () => {
  const asked = await openStudiesOfPatient(
    answer(studies.ofPatient, ({ url }) => pageOf([study()], 47, Number(url.searchParams.get('page')))),
  );

  await userEvent.click(await screen.findByRole('button', { name: 'Last' }));
  expect(await screen.findByText('Showing 41 to 47 of 47 entries')).toBeDefined();
  await userEvent.click(screen.getByRole('button', { name: 'First' }));
  expect(await screen.findByText('Showing 1 to 10 of 47 entries')).toBeDefined();
  await userEvent.click(screen.getByRole('button', { name: 'Modality' }));

  await waitFor(() => expect(asked().at(-1)?.get('sort')).toBe('modality,asc'));
});

test('a patient without studies has none to show', async () => {
  await openStudiesOfPatient(answer(studies.ofPatient, () => pageOf([])));

  expect(await screen.findByText('This patient has no studies')).toBeDefined();
});

test('studies that cannot be fetched say why and can be asked for again', async () => {
  await openStudiesOfPatient(refuse(studies.ofPatient, 500, 'Server error occurred'));

  expect(await screen.findByText('Error fetching studies')).toBeDefined();
  expect(screen.getByRole('button', { name: 'Retry' })).toBeDefined();
});
