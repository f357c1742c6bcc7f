import { groups } from '@radwork/contract/identity/groups';
import { savedViews } from '@radwork/contract/imaging/saved-views';
import { readingLocks } from '@radwork/contract/reading/reading-locks';
import { defaultReadingQueue, type ReadingQueue, readingQueue } from '@radwork/contract/reading/reading-queue';
import { studies } from '@radwork/contract/imaging/studies';
import { beingRead } from '@radwork/contract/imaging/study-marks';
import { workflow } from '@radwork/contract/reading/workflow';
import {
  createMemoryHistory,
  createRootRoute,
  createRoute,
  createRouter,
  RouterProvider,
  useSearch,
} from '@tanstack/react-router';
import { act, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useSyncExternalStore } from 'react';
import { beforeEach, expect, test } from 'vitest';
import { readSession } from '#core/state/session.ts';
import { answer, bodiesOf, refuse, serve, show, signIn } from '#test/screen.tsx';
import { studyDetails } from '#test/studies.ts';
import { historyOf, workOf } from '#test/study-work.ts';
import { ReadingBar } from './reading-bar.tsx';

beforeEach(() => {
  sessionStorage.clear();
  signIn('RADIOLOGIST');
});

const own: ReadingQueue = 'MINE';
const study = studyDetails({ id: 'study-1' });
const following = { id: 'study-2', studyInstanceUID: '1.2.3' };
const lock = { username: 'm.haddad', name: 'Mona Haddad', since: '2026-11-22T09:12:00Z', isMe: true };
const taken = answer(readingLocks.take, () => ({ ...lock, expiresAt: '2026-11-22T09:22:00Z' }));

const showBar = (...answers: Parameters<typeof serve>) => {
  const shown = { instanceCount: study.instanceCount };
  const listeners = new Set<() => void>();
  function Bar() {
    const instanceCount = useSyncExternalStore(
      (listener) => {
        listeners.add(listener);
        return () => void listeners.delete(listener);
      },
      () => shown.instanceCount,
    );
    const queue = useSearch({ strict: false, select: (search) => search.queue }) ?? own;
    return <ReadingBar study={{ ...study, instanceCount }} queue={queue} prefetchImages={async () => []} />;
  }
  const calls = serve(
    ...answers,
    answer(readingQueue.ahead, () => ({ queue: own, waiting: 3, studies: [] })),
    answer(readingQueue.next, () => ({ queue: own, waiting: 3, deferred: 0, study: following })),
    answer(readingQueue.deferrals, () => []),
    answer(savedViews.list, () => []),
    answer(groups.list, () => []),
    taken,
  );
  const root = createRootRoute({ staticData: { can: 'public' } });
  const viewer = createRoute({
    getParentRoute: () => root,
    path: '/viewer/{-$id}',
    staticData: { can: 'public', title: 'Viewer' },
    component: Bar,
  });
  const router = createRouter({
    routeTree: root.addChildren([viewer]),
    history: createMemoryHistory({ initialEntries: ['/viewer/study-1?queue=MINE'] }),
  });
  show(<RouterProvider router={router as never} />);
  const arrive = (count: number) => {
    shown.instanceCount += count;
    for (const listener of listeners) listener();
  };
  return {
    calls,
    address: () => router.state.location.pathname,
    search: () => router.state.location.searchStr,
    arrive,
  };
};

test('the bar shows how many studies wait, and claims the open study', async () => {
  const { calls } = showBar();

  expect(await screen.findByText('3 waiting')).toBeDefined();
  await waitFor(() => expect(bodiesOf(calls, readingLocks.take)).toEqual([{ isAnother: false, isReading: true }]));
});

test('skipping a study opens the next one and no longer offers the skipped study', async () => {
  const { calls, address } = showBar();

  await userEvent.click(await screen.findByRole('button', { name: /^Skip/ }));

  await waitFor(() => expect(address()).toBe('/viewer/study-2'));
  expect(bodiesOf(calls, readingQueue.next)).toEqual([{ queue: 'MINE', skipped: ['study-1'], leave: 'study-1' }]);
});

test('deferring a study needs a reason, and then opens the next study', async () => {
  const { calls, address } = showBar(answer(readingQueue.defer, () => undefined));
  await userEvent.click(await screen.findByRole('button', { name: 'Defer' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Defer study' }));

  await userEvent.click(dialog.getByRole('button', { name: 'Defer study' }));
  expect(dialog.getByText('Reason is required')).toBeDefined();
  await userEvent.type(dialog.getByRole('textbox', { name: /Reason/ }), 'Priors are missing');
  await userEvent.click(dialog.getByRole('button', { name: 'Defer study' }));

  await waitFor(() => expect(address()).toBe('/viewer/study-2'));
  expect(bodiesOf(calls, readingQueue.defer)).toMatchObject([{ reason: 'Priors are missing' }]);
});

test('a deferred study is listed with its reason and can return to the queue', async () => {
  const deferrals = [{ study, until: '2026-11-22T10:00:00Z', reason: 'Priors are missing' }];
  const { calls } = showBar(
    answer(readingQueue.deferrals, () => deferrals),
    answer(readingQueue.resume, () => undefined),
  );
  await userEvent.click(await screen.findByRole('button', { name: '1 deferred' }));
  const list = within(await screen.findByRole('list', { name: 'Deferred studies' }));

  expect(list.getByText(/Priors are missing/)).toBeDefined();
  await userEvent.click(list.getByRole('button', { name: 'Return to queue' }));

  await waitFor(() => expect(bodiesOf(calls, readingQueue.resume)).toHaveLength(1));
});

test('a queue that was deleted meanwhile is replaced by the standard queue with a message', async () => {
  const { search, calls } = showBar(
    answer(readingQueue.ahead, () => ({ queue: defaultReadingQueue, waiting: 5, studies: [] })),
  );

  expect(await screen.findByText(/The chosen queue was deleted or is no longer shared with you/)).toBeDefined();
  await waitFor(() => expect(search()).toBe('?queue=MINE_THEN_UNASSIGNED'));
  await waitFor(() => expect(bodiesOf(calls, readingQueue.ahead)).toHaveLength(2));
  expect(await screen.findByText('5 waiting')).toBeDefined();
});

test('a study that another reader holds is marked as not reserved', async () => {
  const reason = beingRead({ name: 'Dr Weiss', since: '09:12' });
  showBar(refuse(readingLocks.take, 409, reason, { error: 'reading_lock.held' }));

  expect(await screen.findByText('Not reserved for you')).toBeDefined();
});

test('images that arrive while the study is open are announced and counted', async () => {
  const { arrive } = showBar();
  const status = await screen.findByText('3 waiting');

  expect(screen.queryByText(/since you opened/)).toBeNull();
  act(() => arrive(2));

  expect(status.closest('[role="status"]')?.textContent).toContain('2 new images since you opened this study');
});

test('a study chosen in the window for images opens here too, with the queue', async () => {
  const { address } = showBar();
  await screen.findByText('3 waiting');
  const channel = new BroadcastChannel('radwork-images');
  const session = readSession();

  channel.postMessage({
    userId: session?.user.id,
    subdomain: session?.tenant.subdomain,
    kind: 'open',
    path: '/viewer/study-9',
  });

  await waitFor(() => expect(address()).toBe('/viewer/study-9'));
  channel.close();
});

test('a window for images of another user is ignored', async () => {
  const { address } = showBar();
  await screen.findByText('3 waiting');
  const channel = new BroadcastChannel('radwork-images');
  const told: unknown[] = [];
  channel.addEventListener('message', ({ data }) => told.push(data));
  const session = readSession();
  const ours = { userId: session?.user.id, subdomain: session?.tenant.subdomain };

  channel.postMessage({ ...ours, userId: 'another', kind: 'open', path: '/viewer/study-9' });
  channel.postMessage({ ...ours, kind: 'asks' });

  // Messages arrive in order, so the answer to the second shows that the first had no effect.
  await waitFor(() => expect(told).toContainEqual({ ...ours, kind: 'shows', path: '/viewer/study-1' }));
  expect(address()).toBe('/viewer/study-1');
  channel.close();
});

test('status, assignments and history of the study open in a drawer', async () => {
  showBar(
    answer(studies.audit, () => []),
    answer(workflow.read, () => workOf({ status: study.status })),
    answer(workflow.history, () => historyOf([])),
  );

  await userEvent.click(await screen.findByRole('button', { name: 'Study' }));
  const drawer = within(await screen.findByRole('dialog', { name: 'Study' }));

  expect(await drawer.findByRole('region', { name: 'Workflow' })).toBeDefined();
  await userEvent.click(drawer.getByRole('button', { name: 'Close' }));
  await waitFor(() => expect(screen.queryByRole('dialog', { name: 'Study' })).toBeNull());
});
