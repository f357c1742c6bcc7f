import { expect, test } from 'vitest';
import { createTileStore } from './tile-store.ts';

type Request = { key: string; signal: AbortSignal; arrive: () => void; fail: (error: Error) => void };

const setUp = (options: { budget?: number; parallel?: number } = {}) => {
  const requests: Request[] = [];
  const closed: string[] = [];
  let changes = 0;
  const store = createTileStore({
    budget: 1 << 20,
    ...options,
    onChange: () => {
      changes += 1;
    },
    load: ({ key }: { key: string }, signal) => {
      const { promise, resolve, reject } = Promise.withResolvers<{
        width: number;
        height: number;
        close: () => void;
      }>();
      const bitmap = { width: 10, height: 10, close: () => closed.push(key) };
      requests.push({ key, signal, arrive: () => resolve(bitmap), fail: reject });
      return promise;
    },
  });
  const want = (...keys: string[]) => store.want(keys.map((key) => ({ key })));
  const request = (key: string) => requests.findLast((one) => one.key === key);
  const settled = () => new Promise((resolve) => setTimeout(resolve));
  return { store, requests, closed, want, request, settled, changes: () => changes };
};

test('tiles are requested in order, a few at the same time', async () => {
  const { want, requests, request, settled } = setUp({ parallel: 2 });
  want('a', 'b', 'c');
  expect(requests.map(({ key }) => key)).toEqual(['a', 'b']);

  request('a')?.arrive();
  await settled();

  expect(requests.map(({ key }) => key)).toEqual(['a', 'b', 'c']);
});

test('a request is aborted when its tile left the view, and its late answer is freed', async () => {
  const { store, want, request, settled, closed } = setUp();
  want('a', 'b');
  want('b', 'c');

  expect(request('a')?.signal.aborted).toBe(true);
  expect(request('b')?.signal.aborted).toBe(false);
  request('a')?.arrive();
  await settled();

  expect(store.find('a')).toBeUndefined();
  expect(closed).toEqual(['a']);
});

test('a failed tile says why and is requested again only by a retry', async () => {
  const { store, want, request, requests, settled } = setUp();
  want('a');
  request('a')?.fail(new Error('no'));
  await settled();
  want('a');

  expect(store.find('a')).toMatchObject({ state: 'failed', error: { message: 'no' } });
  expect(store.failuresOf([{ key: 'a' }])).toHaveLength(1);
  expect(store.pendingOf([{ key: 'a' }])).toBe(0);
  expect(requests).toHaveLength(1);

  store.retry();
  request('a')?.arrive();
  await settled();
  expect(store.find('a')).toMatchObject({ state: 'ready' });
});

test('memory stays within the budget: the least recently used tiles go first, those of the view stay', async () => {
  const { store, want, request, closed, settled } = setUp({ budget: 800 });
  for (const key of ['a', 'b', 'c']) {
    want(key);
    request(key)?.arrive();
    await settled();
  }
  expect(closed).toEqual(['a']);
  expect(store.bytesHeld()).toBe(800);

  store.find('b');
  want('d', 'e');
  request('d')?.arrive();
  await settled();
  expect(closed).toEqual(['a', 'c']);
});

test('a released store frees its tiles and aborts its requests', async () => {
  const { store, want, request, closed, settled } = setUp();
  want('a', 'b');
  request('a')?.arrive();
  await settled();

  store.release();

  expect(closed).toEqual(['a']);
  expect(request('b')?.signal.aborted).toBe(true);
});
