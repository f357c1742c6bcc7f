import { QueryClient, QueryObserver } from '@tanstack/react-query';
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { createRefresher } from './live-refresh.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/**
 * Opens a page with a list that contains the study "shown", and with the study "open". Counts how often each is
 * fetched.
 */
const openPage = async () => {
  const fetchCounts = { list: 0, study: 0, templates: 0, macros: 0 };
  const client = new QueryClient({ defaultOptions: { queries: { staleTime: Infinity } } });
  const show = (queryKey: unknown[], kind: keyof typeof fetchCounts, data: unknown) => {
    const queryFn = async () => {
      fetchCounts[kind] += 1;
      return data;
    };
    onTestFinished(new QueryObserver(client, { queryKey, queryFn }).subscribe(() => {}));
  };
  show(['studies', '/studies', {}], 'list', [{ id: 'shown' }]);
  show(['studies', '/studies/:id', { params: { id: 'open' } }], 'study', { id: 'open' });
  show(['templates', '/templates', { query: {} }], 'templates', []);
  show(['macros', '/macros', {}], 'macros', []);
  const refresher = createRefresher(client);
  onTestFinished(() => {
    refresher.stop();
    client.clear();
  });
  await vi.advanceTimersByTimeAsync(20_000);
  return { asked: fetchCounts, client, refresher };
};

test('an event about an open study refetches the study at once, even while a list waits', async () => {
  const { asked: fetchCounts, refresher } = await openPage();
  refresher.hear({ kind: 'study', studyId: 'new' });
  await vi.advanceTimersByTimeAsync(2000);
  // The list was just fetched, so its next refetch must wait for ten seconds.
  refresher.hear({ kind: 'study', studyId: 'newer' });
  await vi.advanceTimersByTimeAsync(2000);

  refresher.hear({ kind: 'study', studyId: 'open' });
  await vi.advanceTimersByTimeAsync(1500);

  expect(fetchCounts).toMatchObject({ list: 2, study: 2 });
});

test('a list with a changed study is refetched within 1.5 s, and at most once a second', async () => {
  const { asked: fetchCounts, refresher } = await openPage();

  refresher.hear({ kind: 'study', studyId: 'shown' });
  await vi.advanceTimersByTimeAsync(1500);
  expect(fetchCounts.list).toBe(2);

  for (let tenths = 0; tenths < 100; tenths += 1) {
    refresher.hear({ kind: 'study', studyId: 'shown' });
    await vi.advanceTimersByTimeAsync(100);
  }
  expect(fetchCounts.list).toBeGreaterThan(5);
  expect(fetchCounts.list).toBeLessThanOrEqual(12);
});

test('browsers that receive the same event refetch their lists at different moments', async () => {
  const pages = await Promise.all(Array.from({ length: 20 }, openPage));

  for (const { refresher } of pages) refresher.hear({ kind: 'study', studyId: 'shown' });
  await vi.advanceTimersByTimeAsync(500);
  const early = pages.filter(({ asked: fetchCounts }) => fetchCounts.list === 2).length;
  await vi.advanceTimersByTimeAsync(1000);

  expect(early).toBeLessThan(20);
  expect(pages.map(({ asked: fetchCounts }) => fetchCounts.list)).toEqual(pages.map(() => 2));
});

test('a change of templates and macros refetches only templates and macros', async () => {
  const { asked: fetchCounts, refresher } = await openPage();

  refresher.hear({ kind: 'templates' });
  await vi.advanceTimersByTimeAsync(2500);

  expect(fetchCounts).toEqual({ list: 1, study: 1, templates: 2, macros: 2 });
});

test.each(['reports', 'critical-findings'])(
  'lists of %s with patient names are refetched when the patient record changes',
  async (noun) => {
    const { client, refresher } = await openPage();
    let fetchCount = 0;
    const queryFn = async () => {
      fetchCount += 1;
      return [{ patientName: 'Doe, Jane' }];
    };
    onTestFinished(new QueryObserver(client, { queryKey: [noun, `/${noun}`, {}], queryFn }).subscribe(() => {}));
    await vi.advanceTimersByTimeAsync(20_000);

    refresher.hear({ kind: 'patient', patientId: 'jane' });
    await vi.advanceTimersByTimeAsync(12_000);

    expect(fetchCount).toBe(2);
  },
);

test.each([
  ['studies', '/studies/patient/:id'],
  ['studies', '/studies/:id/priors'],
  ['patients', '/patients/:id/reports'],
])(
  'in the data of %s, the list %s is refetched when a study arrives that the list does not contain yet',
  async (noun, path) => {
    const { client, refresher } = await openPage();
    let fetchCount = 0;
    const queryFn = async () => {
      fetchCount += 1;
      return [];
    };
    const queryKey = [noun, path, { params: { id: 'open' } }];
    onTestFinished(new QueryObserver(client, { queryKey, queryFn }).subscribe(() => {}));
    await vi.advanceTimersByTimeAsync(20_000);

    refresher.hear({ kind: 'study', studyId: 'new' });
    await vi.advanceTimersByTimeAsync(2500);

    expect(fetchCount).toBe(2);
  },
);

test.each([{ kind: 'study', studyId: 'moved' } as const, { kind: 'patient', patientId: 'corrected' } as const])(
  'the deliveries of a report are refetched after the event %o, although they name neither study nor patient',
  async (event) => {
    const { client, refresher } = await openPage();
    let fetchCount = 0;
    const queryFn = async () => {
      fetchCount += 1;
      return [{ reportId: 'report', namesOtherwise: false }];
    };
    const queryKey = ['reports', '/reports/:id/deliveries', { params: { id: 'report' } }];
    onTestFinished(new QueryObserver(client, { queryKey, queryFn }).subscribe(() => {}));
    await vi.advanceTimersByTimeAsync(20_000);

    refresher.hear(event);
    await vi.advanceTimersByTimeAsync(2500);

    expect(fetchCount).toBe(2);
  },
);
