import { rereadings } from '@radwork/contract/imaging/rereadings';
import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { queueOf } from '#test/identities.ts';
import { answer, signIn, visit } from '#test/screen.tsx';

const running = { filesRead: 40, filesInAll: 900, changed: 3, left: 1, failed: 1, finishedDate: null };

const difference = {
  id: 'd1',
  outcome: 'CHANGED' as const,
  study: { id: 's1', description: 'CT chest', modality: 'CT', accessionNumber: 'A1' },
  patientName: 'Alpha, Maria',
  sopInstanceUid: '1.2.3',
  keyword: 'StudyTime',
  before: '2026-11-01',
  after: '2026-11-01T10:15:00',
  files: 1,
  foundDate: '2026-11-20T10:00:00Z',
};

test('the identity screen shows the progress of rereading and lists what changed', async () => {
  signIn('ADMIN');
  visit(
    '/identities',
    answer(rereadings.progress, () => running),
    answer(rereadings.differences, ({ url }) => {
      const content = url.searchParams.get('outcome') === 'CHANGED' ? [difference] : [];
      return { content, totalElements: content.length, totalPages: 1, number: 0, size: 20 };
    }),
    ...queueOf(() => []),
  );

  expect(await screen.findByText(/Reading stored headers again: 40 of 900 files, 3 values corrected/)).toBeDefined();
  await userEvent.click(screen.getByRole('button', { name: 'Show changes' }));

  const row = within(await screen.findByRole('row', { name: /StudyTime/ }));
  expect(row.getByRole('link', { name: 'CT chest CT' }).getAttribute('href')).toBe('/studies/s1');
  expect(row.getByText('2026-11-01T10:15:00')).toBeDefined();
  await userEvent.click(screen.getByText('Not corrected'));
  expect(await screen.findByText('No entries')).toBeDefined();
});

test('the identity screen shows nothing about a finished rereading that changed nothing', async () => {
  signIn('ADMIN');
  visit(
    '/identities',
    answer(rereadings.progress, () => ({
      ...running,
      changed: 0,
      left: 0,
      failed: 0,
      finishedDate: '2026-11-20T10:00:00Z',
    })),
    ...queueOf(() => []),
  );

  expect(await screen.findByText('No open identity questions')).toBeDefined();
  expect(screen.queryByText(/headers/)).toBeNull();
});
