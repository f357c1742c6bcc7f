import { expect, test } from 'vitest';
import { nextSlice, queueSlices } from './slice-queue.ts';

/** Order in which all slices of a volume are fetched. */
const orderOf = (count: number, focus: number): number[] => {
  const waiting = new Set(Array.from({ length: count }, (_, slice) => slice));
  const order: number[] = [];
  for (let next = nextSlice(waiting, focus); next; next = nextSlice(waiting, focus)) {
    order.push(next.slice);
    waiting.delete(next.slice);
  }
  return order;
};

test('fetches each slice once: the focus first, then from coarse to fine, the nearest first', () => {
  const order = orderOf(40, 20);

  expect(order.toSorted((one, other) => one - other)).toEqual(Array.from({ length: 40 }, (_, slice) => slice));
  expect(order.slice(0, 8)).toEqual([20, 16, 32, 0, 24, 8, 12, 28]);
  expect(order.slice(0, 20).filter((slice) => slice % 2 === 1)).toEqual([]);
});

test('fetches the slices on both sides of a plane between two slices first', () => {
  expect(orderOf(10, 4.5).slice(0, 2)).toEqual([4, 5]);
  expect(orderOf(10, 4.2).slice(0, 2)).toEqual([4, 5]);
});

/** Queue whose slices load when told to. */
const slowVolume = (count: number, focus: number) => {
  const started: number[] = [];
  const ends = new Map<number, () => void>();
  const queue = queueSlices(count, focus, (slice) => {
    started.push(slice);
    const { promise, resolve } = Promise.withResolvers<void>();
    ends.set(slice, resolve);
    return promise;
  });
  const end = async (slice: number) => {
    ends.get(slice)?.();
    ends.delete(slice);
    await new Promise((resolve) => setTimeout(resolve));
  };
  const endAll = async () => {
    while (ends.size > 0) for (const slice of ends.keys()) await end(slice);
  };
  return { queue, started, end, endAll };
};

const soon = () => new Promise((resolve) => setTimeout(resolve));

test('loads at most eight slices at once, and next the slice to which the reader moved', async () => {
  const { queue, started, end, endAll } = slowVolume(100, 50);
  await soon();
  expect(started).toEqual([50, 48, 64, 32, 80, 16, 96, 0]);

  queue.focusOn(71);
  await end(50);

  expect(started.at(-1)).toBe(71);
  queue.stop();
  await endAll();
  expect(started).toHaveLength(9);
});

test('loads the first slices of both volumes of a fusion before all others', async () => {
  const [anatomy, uptake] = [slowVolume(100, 50), slowVolume(30, 15)];
  await soon();

  expect(anatomy.started[0]).toBe(50);
  expect(uptake.started[0]).toBe(15);
  expect(anatomy.started.length + uptake.started.length).toBe(8);
  for (const { queue } of [anatomy, uptake]) queue.stop();
  for (const { endAll } of [anatomy, uptake]) await endAll();
});

test('a series that was closed keeps no requests from the next one', async () => {
  const closed = slowVolume(100, 50);
  await soon();
  closed.queue.stop();
  const next = slowVolume(100, 50);
  await soon();

  expect(next.started).toHaveLength(8);
  await closed.endAll();
  expect(next.started).toHaveLength(8);
  next.queue.stop();
  await next.endAll();
});
