import { type ReportFeedback, reportFeedbackCalls } from '@radwork/contract/reading/report-feedback';
import { type Report, type ReportHistoryEntry, reports } from '@radwork/contract/reading/reports';
import { createMemoryHistory, createRootRoute, createRouter, RouterProvider } from '@tanstack/react-router';
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { ReactNode } from 'react';
import { expect, test } from 'vitest';
import { readSession } from '#core/state/session.ts';
import { answer, refuse, type SentRequest, serve, show } from '#test/screen.tsx';
import { reportFor } from '#test/written-report.ts';
import { FeedbackAction } from './feedback-list.tsx';
import { WhatChanged } from './what-changed.tsx';

const attending = { id: 'u9', username: 'a.attending', name: 'Ada Attending' };
const resident = { id: 'u1', username: 'm.haddad', name: 'Mona Haddad' };

const entryOf = (version: number, action: ReportHistoryEntry['action'], actor: Report['author']) => ({
  version,
  status: 'DRAFT' as const,
  action,
  actor,
  at: '2026-11-21T10:00:00Z',
  comment: '',
  contentHash: '',
});

const signedBy = (author: Report['author']) =>
  reportFor({
    status: 'FINALIZED',
    author,
    history: [entryOf(2, 'FINALIZED', attending), entryOf(1, 'CREATED', author)],
  });

const feedbackFor = (overrides: Partial<ReportFeedback> = {}): ReportFeedback => ({
  report: signedBy(resident),
  from: 1,
  to: 2,
  by: attending,
  at: '2026-11-21T12:00:00Z',
  added: 2,
  removed: 1,
  critical: ['LATERALITY'],
  isRead: false,
  ...overrides,
});

const versions = answer(reports.version, ({ url }) => {
  const version = Number(url.pathname.split('/').at(-1));
  const content = version === 1 ? '<p>The left kidney.</p>' : '<p>The right kidney.</p>';
  return { ...entryOf(version, 'SAVED', resident), content, hasCriticalFindings: false, criticalFindingsDetails: '' };
});

/** Server with one entry of feedback. */
const keeping = (first: ReportFeedback) => {
  let entry = first;
  return [
    answer(reportFeedbackCalls.list, () => ({ entries: [entry], unread: entry.isRead ? 0 : 1 })),
    answer(reportFeedbackCalls.mark, ({ body }) => {
      entry = { ...entry, isRead: (body as { isRead: boolean }).isRead };
    }),
    answer(reports.get, () => signedBy(resident)),
    versions,
  ];
};

const inRouter = (element: ReactNode) => {
  const routeTree = createRootRoute({ staticData: { can: 'public' }, component: () => element });
  const router = createRouter({ routeTree, history: createMemoryHistory() });
  return show(<RouterProvider router={router as never} />);
};

const marks = (calls: SentRequest[]) => calls.filter(({ method }) => method === 'PUT').map(({ body }) => body);
const press = async (name: string) => userEvent.click(await screen.findByRole('button', { name }));

test('lists what colleagues changed, with counts and critical kinds, and compares with one press', async () => {
  const calls = serve(...keeping(feedbackFor()));
  inRouter(<FeedbackAction />);

  await press('Changes in my reports (1)');
  const item = await screen.findByRole('listitem');
  expect(within(item).getByText('Unread')).toBeDefined();
  expect(within(item).getByText(/2 words added, 1 word removed/)).toBeDefined();
  expect(within(item).getByText('Laterality')).toBeDefined();
  await press('Compare');

  expect(await screen.findByText('Critical changes: Laterality')).toBeDefined();
  expect(await screen.findByText('1 word added, 1 word removed')).toBeDefined();
  await waitFor(() => expect(marks(calls)).toEqual([{ isRead: true }]));
});

test('an entry is marked as unread again', async () => {
  const calls = serve(...keeping(feedbackFor({ isRead: true })));
  inRouter(<FeedbackAction />);

  await press('Changes in my reports');
  await press('Mark as unread');

  expect(await screen.findByText('Unread')).toBeDefined();
  expect(marks(calls)).toEqual([{ isRead: false }]);
});

test('a list that fails to load shows a message, and an empty list says what will appear', async () => {
  serve(refuse(reportFeedbackCalls.list, 503, 'The database cannot be reached.'));
  inRouter(<FeedbackAction />);
  await press('Changes in my reports');
  expect(await screen.findByText('Error loading changes')).toBeDefined();

  serve();
  await press('Retry');
  expect(await screen.findByText('No changes yet')).toBeDefined();
});

test('a user who writes no reports has no list of changes', async () => {
  serve();
  show(<FeedbackAction />, 'ADMIN');

  await waitFor(() => expect(screen.queryByRole('button')).toBeNull());
});

test('the author of a report compares the own text with the signed text', async () => {
  const calls = serve(...keeping(feedbackFor()));
  // The session exists once the screen is shown.
  function Changed() {
    const id = readSession()?.user.id ?? '';
    return <WhatChanged report={signedBy({ ...resident, id })} />;
  }
  show(<Changed />);

  await press('What changed');

  expect(await screen.findByText('Critical changes: Laterality')).toBeDefined();
  await waitFor(() => expect(marks(calls)).toEqual([{ isRead: true }]));
});

test('a colleague of the author has no button to see what changed', () => {
  serve();
  show(<WhatChanged report={signedBy(attending)} />);

  expect(screen.queryByRole('button', { name: 'What changed' })).toBeNull();
});
