import type { LiveEvent } from '@radwork/contract/identity/live';
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { eventually, until } from '#test/eventually.ts';
import { signIn } from '#test/screen.tsx';
import { type TabListener, listenInOneTab } from './live-tabs.ts';

const event: LiveEvent = { kind: 'study', studyId: 's1' };

/** Simulates browser locks. One caller holds the lock, and the other callers wait until their signal aborts. */
const createLocks = () => {
  let last = Promise.resolve();
  return {
    request: (_: string, { signal }: { signal: AbortSignal }, callback: () => Promise<void>) => {
      const turn = last.then(() => (signal.aborted ? undefined : callback()));
      last = turn.catch(() => {});
      return turn;
    },
  };
};

beforeEach(() => {
  Object.defineProperty(navigator, 'locks', { configurable: true, value: createLocks() });
});
afterEach(() => {
  Reflect.deleteProperty(navigator, 'locks');
  vi.useRealTimers();
});

type Stream = { tab: string; listening: Parameters<TabListener['listen']>[0]; signal: AbortSignal };
const streams: Stream[] = [];

/** Opens a tab. Returns the events that it receives, and a function to close it. */
const openTab = (tab: string) => {
  const heard: (LiveEvent | boolean)[] = [];
  const close = listenInOneTab({
    listen: (listening, signal) => {
      streams.push({ tab, listening, signal });
      return new Promise((resolve) => {
        signal.addEventListener('abort', () => resolve());
      });
    },
    onChange: (isLive) => heard.push(isLive),
    onEvent: (one) => heard.push(one),
  });
  onTestFinished(close);
  return { heard, close };
};

const streamOf = (count: number) =>
  eventually(() => {
    const opened = streams[count - 1];
    if (!opened) throw new Error(`Opened ${streams.length} of ${count}`);
    return opened;
  });
beforeEach(() => {
  streams.length = 0;
});

test('only one of several tabs listens to the server, and all tabs receive the events', async () => {
  signIn();
  const [one, other] = [openTab('one'), openTab('other')];
  const { listening } = await streamOf(1);

  listening.onChange(true);
  listening.onEvent(event);

  await eventually(() => expect(other.heard).toEqual([true, event]));
  expect(one.heard).toEqual([true, event]);
  expect(streams.map(({ tab }) => tab)).toEqual(['one']);
});

test('a tab opened later learns that the event stream is open', async () => {
  signIn();
  openTab('one');
  const { listening } = await streamOf(1);
  listening.onChange(true);

  const late = openTab('late');

  await eventually(() => expect(late.heard).toEqual([true]));
});

test('when the listening tab closes, the next tab listens', async () => {
  signIn();
  const one = openTab('one');
  const other = openTab('other');
  await streamOf(1);

  one.close();
  const { tab, listening } = await streamOf(2);
  listening.onEvent(event);

  expect(tab).toBe('other');
  expect(other.heard).toContainEqual(event);
});

test('when a tab starts to listen, all tabs refetch only if no tab was listening for some time', async () => {
  signIn();
  const first = openTab('first');
  const [second, other] = [openTab('second'), openTab('other')];
  (await streamOf(1)).listening.onChange(true);
  await eventually(() => expect(other.heard).toEqual([true]));
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });

  first.close();
  (await until(() => streams[1])).listening.onChange(true);
  vi.advanceTimersByTime(60_000);
  const afterPromptTurn = [...other.heard];
  second.close();
  const { listening } = await until(() => streams[2]);
  vi.advanceTimersByTime(5000);
  listening.onChange(true);

  expect(afterPromptTurn).toEqual([true]);
  expect(other.heard).toEqual([true, false, true]);
});

test('no tab listens to the server before sign-in', async () => {
  openTab('one');
  const before = streams.length;

  signIn();
  await streamOf(1);

  expect(before).toBe(0);
});

test('a tab that is hidden for long stops listening, and may listen again when visible', async () => {
  signIn();
  openTab('one');
  const { signal } = await streamOf(1);
  vi.useFakeTimers();
  const look = (visibility: DocumentVisibilityState) => {
    Object.defineProperty(document, 'visibilityState', { configurable: true, value: visibility });
    document.dispatchEvent(new Event('visibilitychange'));
  };

  look('hidden');
  vi.advanceTimersByTime(60_000);
  const afterAMinute = signal.aborted;
  vi.advanceTimersByTime(600_000);
  const afterLong = signal.aborted;
  vi.useRealTimers();
  look('visible');

  expect([afterAMinute, afterLong]).toEqual([false, true]);
  expect((await streamOf(2)).signal.aborted).toBe(false);
});
