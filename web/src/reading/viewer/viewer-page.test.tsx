import { studies } from '@radwork/contract/imaging/studies';
import type { StudyRow } from '@radwork/contract/imaging/study-rows';
import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { answer, refuse, signIn, visit } from '#test/screen.tsx';

const study: StudyRow = {
  id: '7d0e5a44-6f0f-4b52-9a43-3f8b1f1f0a11',
  studyInstanceUID: '2.25.1',
  studyDescription: 'CT Chest',
  description: '',
  modality: 'CT',
  modalities: ['CT'],
  studyDate: '2026-11-18T09:30:00',
  accessionNumber: 'ACC-1',
  status: 'PENDING',
  priority: 'ROUTINE',
  referringPhysicianName: '',
  referringPhysicianPhone: '',
  createdDate: '2026-11-18T10:00:00Z',
  lastModifiedDate: '2026-11-18T10:00:00Z',
  seriesCount: 1,
  instanceCount: 40,
  patient: { id: 'p1', patientName: 'Haddad, Mona', patientId: 'P-100', gender: 'F', dateOfBirth: '1980-02-29' },
  assignees: [],
  dueDate: null,
  readingBy: null,
  criticalState: null,
  identity: null,
};

const notFound = async () => (await screen.findByText('Study not found')).parentElement?.textContent;

test('the viewer without a study in its address offers the recent studies', async () => {
  signIn();

  visit(
    '/viewer',
    answer(studies.recent, () => [study]),
  );

  const link = await screen.findByRole('link', { name: /Haddad, Mona.*CT Chest/ });
  expect(link.getAttribute('href')).toBe(`/viewer/${study.id}`);
});

test('the viewer shows the same message for a missing study and a forbidden study', async () => {
  signIn();

  const unknown = visit('/viewer/unknown', refuse(studies.get, 404, 'There is no such study'));
  const saidOfUnknown = await notFound();
  unknown.unmount();
  visit('/viewer/forbidden', refuse(studies.get, 403, 'You may not see it'));

  expect(await notFound()).toBe(saidOfUnknown);
});

test('the viewer opens a study by its UID', async () => {
  signIn();

  const { calls } = visit('/viewer/1.2.840.1', refuse(studies.getByUid, 404, 'There is no such study'));

  await notFound();
  expect(calls.some(({ url }) => url.pathname === '/api/studies/uid/1.2.840.1')).toBe(true);
});

test('a study that cannot be fetched shows a retry', async () => {
  signIn();

  visit(`/viewer/${study.id}`, refuse(studies.get, 500, 'Server error occurred'));

  expect(await screen.findByText('The study could not be loaded')).toBeDefined();
  expect(screen.getByRole('button', { name: 'Retry' })).toBeDefined();
});
