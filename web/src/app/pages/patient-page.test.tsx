import { patientMerges } from '@radwork/contract/imaging/patient-merges';
import { patients } from '@radwork/contract/imaging/patients';
import { reports } from '@radwork/contract/reading/reports';
import { studies } from '@radwork/contract/imaging/studies';
import { act, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { patientDetails } from '#test/patients.ts';
import { answer, refuse, serve, signIn, visit } from '#test/screen.tsx';
import { pageOf, study } from '#test/study-list.tsx';
// Loads the screen in advance, because the first test would otherwise wait for it.
import './patient-page.tsx';

const { id } = patientDetails();
const noDifferences = answer(patientMerges.differences, () => []);
const noSeries = answer(studies.series, () => []);

const open = (overrides: Parameters<typeof patientDetails>[0] = {}, ...more: Parameters<typeof visit>[1][]) =>
  visit(
    `/patients/${id}`,
    answer(patients.get, () => patientDetails(overrides)),
    answer(studies.ofPatient, () => pageOf([study({ description: 'Follow-up' })])),
    noSeries,
    noDifferences,
    ...more,
  );

test('the patient page shows identity, contact, portal access and all studies', async () => {
  signIn();
  open({ formerIdentifiers: [{ patientId: 'OLD-1', issuer: 'Hospital A' }], email: 'chidi@example.org' });

  expect(await screen.findByRole('heading', { name: /Bergström, Chidi.*MRN1.*Male.*born 1961-04-12/ })).toBeDefined();
  const facts = within(screen.getByRole('complementary', { name: 'Patient' }));
  for (const text of ['OLD-1 (Hospital A)', '+1 555 0142', 'chidi@example.org', '1 Main St', 'Inactive']) {
    expect(facts.getByText(text)).toBeDefined();
  }
  expect(await screen.findByText('Follow-up')).toBeDefined();
});

test('a former Patient ID that was assigned by mistake is released after a confirmation', async () => {
  signIn();
  const { calls } = open(
    { formerIdentifiers: [{ patientId: 'OLD-1', issuer: '' }] },
    answer(patients.releaseFormerId, () => patientDetails()),
  );

  await userEvent.click(await screen.findByRole('button', { name: 'Release ID OLD-1' }));
  await userEvent.click(await screen.findByRole('button', { name: 'Release ID' }));

  await waitFor(() =>
    expect(calls.find(({ url }) => url.pathname.endsWith('/former-ids/release'))?.body).toEqual({
      patientId: 'OLD-1',
      issuer: '',
    }),
  );
});

test('a study can be registered for the patient from the patient page', async () => {
  signIn();
  open();

  const link = await screen.findByRole('link', { name: 'Register study' });

  expect(link.getAttribute('href')).toBe(`/studies/create?form=register&patientId=${id}`);
});

test('a tab of the patient page shows the reports of all studies', async () => {
  signIn();
  const report = {
    id: 'r1',
    studyId: study().id,
    status: 'FINALIZED' as const,
    amended: true,
    author: { id: 'u1', username: 'm.haddad', name: 'Mona Haddad' },
    reviewer: null,
    createdAt: '2026-11-20T10:00:00Z',
    finalizedAt: '2026-11-20T11:00:00Z',
    hasCriticalFindings: false,
    criticalState: null,
    identity: null,
    patientRecordId: 'p1',
    patientName: 'Bergström, Chidi',
    patientId: 'MRN1',
    studyDate: '2026-11-20T09:30:00',
    modality: 'CT',
    accessionNumber: 'A1',
    studyDescription: 'CT Chest',
  };
  open(
    {},
    answer(reports.ofPatient, () => [report]),
  );

  await userEvent.click(await screen.findByRole('tab', { name: 'Reports' }));

  const item = within(await screen.findByRole('list', { name: 'Reports' }));
  expect(item.getByText('Finalized')).toBeDefined();
  expect(item.getByText('AMENDED')).toBeDefined();
  expect(item.getByRole('link', { name: 'CT Chest' }).getAttribute('href')).toBe(`/studies/${study().id}`);
});

test('the page of a merged record links to the patient and offers no changes', async () => {
  signIn();
  open({ mergedInto: { id: 'p-77', patientName: 'Bergström, C', patientId: 'MRN77' } });

  const link = await screen.findByRole('link', { name: 'Bergström, C (MRN77)' });

  expect(link.getAttribute('href')).toBe('/patients/p-77');
  expect(screen.queryByRole('link', { name: 'Edit' })).toBeNull();
});

test('a patient that is deleted while its page is open is reported', async () => {
  signIn();
  const { client } = open();
  await screen.findByText('Follow-up');

  serve(refuse(patients.get, 404, 'Patient not found'));
  await act(() => client.refetchQueries({ queryKey: ['patients', patients.get.path] }));

  expect((await screen.findByRole('alert')).textContent).toMatch(
    /^This record was deleted, or you no longer have access/,
  );
});

test('the patient page shows different messages for a missing patient and a failed call', async () => {
  signIn();
  const { unmount } = visit(`/patients/${id}`, refuse(patients.get, 404, 'Patient not found'));
  expect(await screen.findByText(/The patient does not exist/)).toBeDefined();
  unmount();

  visit(`/patients/${id}`, refuse(patients.get, 500, 'Server error occurred'));

  expect(await screen.findByText('Failed to fetch patient details. Please try again.')).toBeDefined();
});
