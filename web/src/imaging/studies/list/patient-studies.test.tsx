import { studies } from '@radwork/contract/imaging/studies';
import {
  createMemoryHistory,
  createRootRoute,
  createRoute,
  createRouter,
  RouterProvider,
} from '@tanstack/react-router';
import { act, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { answer, refuse, serve, show } from '#test/screen.tsx';
import { pageOf, study } from '#test/study-list.tsx';
import { PatientStudies } from './patient-studies.tsx';

const openStudiesOfPatient = async (reply: ReturnType<typeof answer>, address = '/patients/p1') => {
  const calls = serve(reply);
  const root = createRootRoute({ staticData: { can: 'public' } });
  const page = createRoute({
    getParentRoute: () => root,
    path: '/patients/$id',
    staticData: { can: 'public' },
    component: () => <PatientStudies patientId="p1" />,
  });
  const router = createRouter({
    routeTree: root.addChildren([page]),
    history: createMemoryHistory({ initialEntries: [address] }),
  });
  show(<RouterProvider router={router as never} />, 'ADMIN');
  await screen.findByRole('table', { name: 'studies of the patient' });
  const requestedParams = () =>
    calls.filter(({ url }) => url.pathname === '/api/studies/patient/p1').map(({ url }) => url.searchParams);
  return { asked: requestedParams, router };
};

test('the studies of a patient have the columns of the study list, but no delete button', async () => {
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

test('one click opens the first or the last page, and the server sorts the studies', async () => {
  const { asked: requestedParams } = await openStudiesOfPatient(
    answer(studies.ofPatient, ({ url }) => pageOf([study()], 47, Number(url.searchParams.get('page')))),
  );

  await userEvent.click(await screen.findByRole('button', { name: 'Last' }));
  expect(await screen.findByText('Showing 41 to 47 of 47 entries')).toBeDefined();
  await userEvent.click(screen.getByRole('button', { name: 'First' }));
  expect(await screen.findByText('Showing 1 to 10 of 47 entries')).toBeDefined();
  await userEvent.click(screen.getByRole('button', { name: 'Modality' }));

  await waitFor(() => expect(requestedParams().at(-1)?.get('sort')).toBe('modality,asc'));
});

test('the address contains page and order, and Back returns to the previous page', async () => {
  const { asked: requestedParams, router } = await openStudiesOfPatient(
    answer(studies.ofPatient, ({ url }) => pageOf([study()], 47, Number(url.searchParams.get('page')))),
    '/patients/p1?page=2&sort=modality,asc',
  );
  await screen.findByText('Showing 21 to 30 of 47 entries');
  expect(requestedParams()[0]?.get('sort')).toBe('modality,asc');

  await userEvent.click(screen.getByRole('button', { name: 'Next' }));
  await screen.findByText('Showing 31 to 40 of 47 entries');
  expect(router.state.location.search).toMatchObject({ page: 3, sort: 'modality,asc' });
  act(() => router.history.back());

  expect(await screen.findByText('Showing 21 to 30 of 47 entries')).toBeDefined();
});

test('a patient without studies shows a message in the list of studies', async () => {
  await openStudiesOfPatient(answer(studies.ofPatient, () => pageOf([])));

  expect(await screen.findByText('This patient has no studies')).toBeDefined();
});

test('studies that fail to load show the reason and a retry button', async () => {
  await openStudiesOfPatient(refuse(studies.ofPatient, 500, 'Server error occurred'));

  expect(await screen.findByText('Error fetching studies')).toBeDefined();
  expect(screen.getByRole('button', { name: 'Retry' })).toBeDefined();
});
