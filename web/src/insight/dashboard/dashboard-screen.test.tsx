import type { UserType } from '@radwork/contract/core/access';
import { dashboard, type Dashboard, type DashboardTiles } from '@radwork/contract/insight/dashboard';
import { groups } from '@radwork/contract/identity/groups';
import { type SavedView, savedViews } from '@radwork/contract/imaging/saved-views';
import { pageOf } from '@radwork/contract/core/paging';
import { defaultReadingQueue, readingQueue } from '@radwork/contract/reading/reading-queue';
import { studies } from '@radwork/contract/imaging/studies';
import { reports } from '@radwork/contract/reading/reports';
import type { StudyRow } from '@radwork/contract/imaging/study-rows';
import { studyAges } from '@radwork/contract/imaging/study-work-filters';
import { act, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test } from 'vitest';
import { readRememberedText, setPreference } from '#core/state/preferences.ts';
import { readSession } from '#core/state/session.ts';
import { answer, answerBytes, refuse, signIn, visit } from '#test/screen.tsx';
import { studyDetails } from '#test/studies.ts';

beforeEach(() => sessionStorage.clear());

const queue = defaultReadingQueue;
const count = (total: number) => ({ total, isMore: false });
const some = (overrides: Partial<DashboardTiles> = {}): DashboardTiles => ({
  unread: { ...count(41), mine: count(7) },
  inProgress: { ...count(5), mine: count(2) },
  overdue: { ...count(3), mine: count(1) },
  unassigned: count(12),
  myDrafts: count(4),
  toReview: count(6),
  openCritical: count(2),
  myStudies: null,
  reportsReady: null,
  hasStudies: true,
  ...overrides,
});
const reader = { id: '0190f6f0-0000-7000-8000-00000000000a', username: 'reader', name: 'Mona Haddad' };
const figures: Dashboard = {
  from: '2026-10-24',
  to: '2026-11-22',
  timeZone: 'UTC',
  tiles: some(),
  volume: {
    step: 'DAY',
    columns: [
      { from: '2026-11-21', to: '2026-11-21', counts: { CT: 9, MR: 4 } },
      { from: '2026-11-22', to: '2026-11-22', counts: { CT: 8 } },
    ],
    modalities: [
      { modality: 'CT', total: 17 },
      { modality: 'MR', total: 4 },
    ],
  },
  turnaround: [
    { priority: 'STAT', count: 11, p50Minutes: 42, p90Minutes: 200 },
    { priority: 'URGENT', count: 0, p50Minutes: null, p90Minutes: null },
    { priority: 'ROUTINE', count: 90, p50Minutes: 300, p90Minutes: 3000 },
  ],
  workload: [{ reader, signed: 33, assigned: 8 }],
  critical: {
    bySeverity: [
      { severity: 'CRITICAL', unsettled: 1, nextDueAt: new Date(Date.now() - 600_000).toISOString() },
      { severity: 'URGENT', unsettled: 1, nextDueAt: null },
      { severity: 'SIGNIFICANT', unsettled: 0, nextDueAt: null },
    ],
    due: 20,
    inTime: 19,
  },
  ages: studyAges.map((age, index) => ({ age, ...count(index) })),
};

const row = (overrides: Partial<StudyRow> = {}) => studyDetails({ priority: 'STAT', ...overrides });
const lists = (rows: StudyRow[] = [row()]) => {
  const page = { ...pageOf(rows, rows.length, { page: 0, size: 10 }), isTotalExact: true };
  return [
    answer(studies.pending, () => page),
    answer(studies.recent, () => rows),
    answer(readingQueue.list, () => ({ queue, studies: rows, waiting: rows.length })),
    answer(readingQueue.deferrals, () => []),
    answer(savedViews.list, () => [savedView]),
    answer(groups.list, () => []),
    // The dashboard fetches the next studies in advance.
    answer(studies.get, ({ url }) => studyDetails({ id: url.pathname.split('/').at(-1) ?? '', series: [] })),
    answer(studies.priors, () => []),
    refuse(reports.ofStudy, 404, 'Study not found'),
  ];
};

const savedView: SavedView = {
  id: '0190f6f0-0000-7000-8000-00000000000b',
  name: 'Night CT',
  search: {},
  owner: 'USER',
  group: null,
  isDefault: false,
  revision: 1,
  updatedBy: 'Mona Haddad',
  updatedAt: '2026-11-22T09:12:00Z',
};

const open = async (userType: UserType = 'RADIOLOGIST', overrides: Partial<Dashboard> = {}, address = '/dashboard') => {
  signIn(userType);
  const view = visit(
    address,
    answer(dashboard.read, () => ({ ...figures, ...overrides })),
    ...lists(),
  );
  await screen.findByRole('heading', { name: 'Dashboard' });
  return view;
};

const linkIn = async (name: string, link: string | RegExp) => {
  const region = await screen.findByRole('region', { name });
  return within(region).findByRole('link', { name: link });
};
const search = (link: HTMLElement) => {
  const { pathname, searchParams } = new URL((link as HTMLAnchorElement).href);
  return [pathname, Object.fromEntries(searchParams)];
};

test('the dashboard shows a radiologist their own numbers first, and each number opens its list', async () => {
  await open();

  const tiles = within(await screen.findByRole('list', { name: 'Tasks' }));
  const expected: [RegExp, string, object][] = [
    [/^7 Unread, mine/, '/studies', { stage: 'UNREAD', view: 'MINE' }],
    [/^41 total/, '/studies', { stage: 'UNREAD' }],
    [/^2 In progress, mine/, '/studies', { status: 'IN_PROGRESS', view: 'MINE' }],
    [/^1 Overdue, mine/, '/studies', { stage: 'OVERDUE', view: 'MINE' }],
    [/^4 My drafts/, '/reports', { view: 'MINE', status: 'DRAFT' }],
    [/^6 To review/, '/reports', { view: 'TO_REVIEW' }],
    [/^2 Open critical/, '/critical-findings', {}],
  ];
  for (const [name, path, query] of expected) {
    expect(search(tiles.getByRole('link', { name }))).toEqual([path, query]);
  }
  expect(screen.queryByRole('region', { name: 'Workload' })).toBeNull();
});

test('the dashboard shows an administrator unassigned studies and the workload, and no drafts', async () => {
  await open('ADMIN', {
    tiles: some({ unread: { ...count(41), mine: null }, myDrafts: null, toReview: null }),
  });

  expect(await screen.findByRole('link', { name: /^12 Unassigned/ })).toBeDefined();
  expect(screen.queryByText('My drafts')).toBeNull();
  const signed = { view: 'FINALIZED', signedFrom: '2026-10-24', signedTo: '2026-11-22', signedBy: reader.id };
  expect(search(await linkIn('Workload', '33'))).toEqual(['/reports', signed]);
  expect(search(await linkIn('Workload', '8'))).toEqual(['/studies', { assigneeId: reader.id }]);
});

test('the numbers for turnaround, age and critical findings open their lists and are clear without color', async () => {
  await open();

  const signed = { view: 'FINALIZED', signedFrom: '2026-10-24', signedTo: '2026-11-22' };
  expect(search(await linkIn('Turnaround', '11'))).toEqual([
    '/reports',
    { ...signed, priority: 'STAT', isFirst: 'true' },
  ]);
  expect(search(await linkIn('Unreported', '3'))).toEqual([
    '/studies',
    { age: 'UNDER_7_DAYS', sort: 'createdDate,asc' },
  ]);
  const due = { dueFrom: '2026-10-24', dueTo: '2026-11-22' };
  expect(search(await linkIn('Critical findings', '1 late'))).toEqual([
    '/critical-findings',
    { ...due, timeliness: 'LATE' },
  ]);
  expect(screen.getByText('10 min overdue')).toBeDefined();
  expect(screen.getByText('95 %')).toBeDefined();
  expect(screen.getByText('2 d 2 h')).toBeDefined();
});

test('arrivals can be shown as a table in which every number opens its day and modality', async () => {
  await open();

  await userEvent.click(await screen.findByRole('button', { name: 'Show as table' }));

  const table = within(await screen.findByRole('region', { name: 'Table of arrived studies' }));
  expect(search(table.getByRole('link', { name: '4 MR, 2026-11-21' }))).toEqual([
    '/studies',
    { mainModality: 'MR', arrivedFrom: '2026-11-21', arrivedTo: '2026-11-21' },
  ]);
});

test('the address contains the period of the dashboard, and the server receives it', async () => {
  const { calls, address } = await open();
  const queriesOf = (part: string) =>
    calls
      .filter(({ url }) => url.pathname === '/api/dashboard' && url.searchParams.get('parts') === part)
      .map(({ url }) => Object.fromEntries(url.searchParams));
  await waitFor(() => expect(queriesOf('volume').at(-1)).toEqual({ days: '30', parts: 'volume' }));
  expect(queriesOf('tiles').at(-1)).toEqual({ parts: 'tiles' });

  await userEvent.click(await screen.findByRole('button', { name: 'Year' }));
  await waitFor(() => expect(queriesOf('volume').at(-1)).toEqual({ days: '365', parts: 'volume' }));
  expect(address()).toBe('/dashboard?period=year');

  await userEvent.type(screen.getByLabelText('From day'), '2026-02-30');
  expect(await screen.findByText(/Use a date such as/)).toBeDefined();
  await userEvent.clear(screen.getByLabelText('From day'));
  await userEvent.type(screen.getByLabelText('From day'), '2026-02-01');
  await waitFor(() => expect(queriesOf('volume').at(-1)).toEqual({ from: '2026-02-01', parts: 'volume' }));
});

test('one key claims the next study of the queue and opens it in reading mode, but not from the choice of the queue', async () => {
  signIn('RADIOLOGIST');
  const next = row({ id: 'study-next' });
  const study = { id: next.id, studyInstanceUID: '1.2.3' };
  const { address, calls } = visit(
    '/dashboard',
    answer(dashboard.read, () => figures),
    answer(readingQueue.next, () => ({ queue, study, waiting: 3, deferred: 0 })),
    refuse(studies.get, 404, 'Study not found'),
    ...lists([next]),
  );
  await screen.findByRole('list', { name: 'Studies to read next' });
  const claims = () => calls.filter(({ url }) => url.pathname === '/api/reading-queue/next');
  const choice = screen.getByRole('combobox', { name: 'Queue' });
  choice.focus();
  await userEvent.keyboard('n');
  const fromChoice = claims().length;
  choice.blur();

  await userEvent.keyboard('n');

  expect(fromChoice).toBe(0);
  await waitFor(() => expect(address()).toBe('/viewer/study-next?queue=MINE_THEN_UNASSIGNED'));
  expect(claims().map(({ body }) => body)).toEqual([{ queue: 'MINE_THEN_UNASSIGNED', skipped: [] }]);
});

test('the panel lists what the queue of the reading mode offers, without the studies skipped in this round', async () => {
  signIn('RADIOLOGIST');
  const round = (skipped: string[]) => {
    const session = readSession();
    const name = `reading-round.${session?.tenant.subdomain}.${session?.user.id}`;
    sessionStorage.setItem(name, JSON.stringify({ opened: [], skipped }));
  };
  round(['skipped-1']);
  const { calls } = visit(
    '/dashboard',
    answer(dashboard.read, () => figures),
    answer(readingQueue.list, ({ body }) => {
      const isSkipped = JSON.stringify(body).includes('skipped-1');
      return { queue, studies: isSkipped ? [] : [row({ id: 'skipped-1' })], waiting: isSkipped ? 0 : 1 };
    }),
    ...lists(),
  );
  const panel = within(await screen.findByRole('region', { name: 'Read next' }));

  expect(await panel.findByText('1 study was skipped.')).toBeDefined();
  await userEvent.click(panel.getByRole('button', { name: 'Offer skipped studies again' }));

  const list = within(await panel.findByRole('list', { name: 'Studies to read next' }));
  expect(list.getByRole('link').getAttribute('href')).toBe('/studies/skipped-1');
  expect(calls.filter(({ url }) => url.pathname === '/api/reading-queue/list').map(({ body }) => body)).toEqual([
    { queue: 'MINE_THEN_UNASSIGNED', skipped: ['skipped-1'], size: 6 },
    { queue: 'MINE_THEN_UNASSIGNED', skipped: [], size: 6 },
  ]);
});

test('the first two studies of the queue are fetched before the reader opens one', async () => {
  signIn('RADIOLOGIST');
  const rows = ['next', 'second', 'third'].map((id) => row({ id }));
  const { calls } = visit(
    '/dashboard',
    answer(dashboard.read, () => figures),
    ...lists(rows),
  );
  const fetched = () => calls.filter(({ url }) => /^\/api\/studies\/(next|second|third)$/.test(url.pathname));

  await waitFor(() => expect(fetched()).toHaveLength(2), { timeout: 20_000 });
  expect(fetched().map(({ url }) => url.pathname)).toEqual(['/api/studies/next', '/api/studies/second']);
});

test('a reader chooses a saved view as queue, which the browser remembers', async () => {
  signIn('RADIOLOGIST');
  const chosen = `VIEW:${savedView.id}` as const;
  const { calls } = visit(
    '/dashboard',
    answer(dashboard.read, () => figures),
    answer(readingQueue.list, ({ body }) => {
      const isChosen = JSON.stringify(body).includes(chosen);
      return { queue: isChosen ? chosen : queue, studies: [row({ id: isChosen ? 'night' : 'day' })], waiting: 1 };
    }),
    refuse(readingQueue.next, 500, 'Server error occurred'),
    ...lists(),
  );
  await screen.findByRole('option', { name: 'Night CT' });
  await userEvent.selectOptions(screen.getByRole('combobox', { name: 'Queue' }), 'Night CT');
  const list = within(await screen.findByRole('list', { name: 'Studies to read next' }));

  await waitFor(() => expect(list.getByRole('link').getAttribute('href')).toBe('/studies/night'));
  await userEvent.click(screen.getByRole('button', { name: /^Read next/ }));
  await waitFor(() =>
    expect(calls.find(({ url }) => url.pathname === '/api/reading-queue/next')?.body).toMatchObject({ queue: chosen }),
  );
  expect(readRememberedText(`reading.queue.${readSession()?.user.id}`)).toBe(chosen);
});

test('a queue that no longer exists is replaced by the standard queue with a message', async () => {
  signIn('RADIOLOGIST');
  setPreference(`reading.queue.${readSession()?.user.id}`, `VIEW:${savedView.id}`);
  visit(
    '/dashboard',
    answer(dashboard.read, () => figures),
    ...lists(),
  );

  expect(
    await screen.findByText(
      'The chosen queue was deleted or is no longer shared with you. The standard queue is shown.',
    ),
  ).toBeDefined();
  const select = await screen.findByRole<HTMLSelectElement>('combobox', { name: 'Queue' });
  await waitFor(() => expect(select.value).toBe(queue));
});

test('a reader whose queue fails to load is offered no other studies', async () => {
  signIn('RADIOLOGIST');
  visit(
    '/dashboard',
    answer(dashboard.read, () => figures),
    refuse(readingQueue.list, 500, 'Server error occurred'),
    ...lists(),
  );

  const panel = within(await screen.findByRole('region', { name: 'Read next' }));

  expect(await panel.findByText('Server error occurred')).toBeDefined();
  expect(panel.queryByRole('link')).toBeNull();
});

test('studies on the dashboard do not move under the pointer, and new studies appear below', async () => {
  signIn('RADIOLOGIST');
  let rows = [row({ id: 'one', description: 'One' }), row({ id: 'two', description: 'Two' })];
  const { client } = visit(
    '/dashboard',
    answer(dashboard.read, () => figures),
    answer(readingQueue.list, () => ({ queue, studies: rows, waiting: rows.length })),
    ...lists(),
  );
  const list = within(await screen.findByRole('list', { name: 'Studies to read next' }));
  const opened = () => list.getAllByRole('link').map((link) => link.getAttribute('href'));
  await userEvent.hover(list.getByText('Two', { exact: false }));

  rows = [row({ id: 'new', description: 'New' }), ...rows];
  await act(() => client.invalidateQueries({ queryKey: ['reading-queue'] }));

  expect(await screen.findByText('The list has changed.')).toBeDefined();
  expect(opened()).toEqual(['/studies/one', '/studies/two', '/studies/new']);
});

test('if one panel of the dashboard fails, only this panel shows an error and is retried', async () => {
  signIn('RADIOLOGIST');
  let fails = true;
  const answers = answer(dashboard.read, () => figures);
  const failing = answerBytes('/api/dashboard', (sent) => {
    if (sent.url.searchParams.get('parts') !== 'ages' || !fails) {
      return Response.json({ code: 200, message: 'OK', data: figures });
    }
    return Response.json(
      { code: 500, error: 'server.fault', message: 'Something went wrong', traceId: 't' },
      { status: 500 },
    );
  });
  visit('/dashboard', failing, answers, ...lists());

  const alert = await screen.findByRole('alert');
  expect(within(alert).getByText('Could not load “Unreported”')).toBeDefined();
  expect(await screen.findByRole('link', { name: /^7 Unread, mine/ })).toBeDefined();
  fails = false;
  await userEvent.click(within(alert).getByRole('button', { name: 'Retry' }));

  expect(await screen.findByRole('list', { name: 'Unreported studies by age' })).toBeDefined();
});

test('the dashboard of an empty organization offers upload and archive search to users with permission', async () => {
  signIn('ADMIN');
  visit('/dashboard');
  expect(await screen.findByText('No studies yet')).toBeDefined();

  expect(screen.getByRole('link', { name: 'Upload images' }).getAttribute('href')).toBe('/studies/create');
  expect(screen.getByRole('link', { name: 'Search remote archive' }).getAttribute('href')).toBe('/stydys-search');
});

test('the dashboard of an empty organization offers no upload to a referring physician', async () => {
  signIn('REFERRING_PHYSICIAN');
  visit('/dashboard');

  expect(await screen.findByText('No studies yet')).toBeDefined();
  expect(screen.queryByRole('link', { name: 'Upload images' })).toBeNull();
});

test('the dashboard shows an error when its counts cannot be loaded', async () => {
  signIn('RADIOLOGIST');
  visit('/dashboard', refuse(dashboard.read, 403, 'Access denied'), ...lists());

  expect(await screen.findByText('Could not load counts')).toBeDefined();
});
