import { expect, test } from 'vitest';
import { createWaitingStudies } from './waiting-studies.ts';

/** Collects studies by a clock that the test moves. */
const withClock = (most?: number) => {
  const clock = { time: 0 };
  const waiting = createWaitingStudies({ quiet: 10, now: () => clock.time, ...(most !== undefined && { most }) });
  const takeAll = () => {
    const taken: string[] = [];
    for (let next = waiting.take(); next; next = waiting.take()) taken.push(`${next.tenantId} ${next.studyId}`);
    return taken;
  };
  return { clock, waiting, takeAll };
};

test('a study is due when no image has arrived for a while', () => {
  const { clock, waiting, takeAll } = withClock();

  waiting.add(1, ['a']);
  clock.time = 9;
  waiting.add(1, ['a', 'b']);
  clock.time = 18;
  expect(takeAll()).toEqual([]);

  clock.time = 19;
  expect(takeAll()).toEqual(['1 a', '1 b']);
  expect(waiting.size()).toBe(0);
});

test('tenants take turns', () => {
  const { clock, waiting, takeAll } = withClock();

  waiting.add(1, ['a', 'b', 'c']);
  waiting.add(2, ['d', 'e']);
  clock.time = 10;

  expect(takeAll()).toEqual(['1 a', '2 d', '1 b', '2 e', '1 c']);
});

test('drops the oldest study of the tenant with the most when too many wait', () => {
  const { clock, waiting, takeAll } = withClock(4);

  waiting.add(2, ['x']);
  waiting.add(1, ['a', 'b', 'c', 'd', 'e']);
  clock.time = 10;

  expect(waiting.size()).toBe(4);
  expect(takeAll().toSorted()).toEqual(['1 c', '1 d', '1 e', '2 x']);
});

test('drops a study that has waited ten minutes for a quiet server', () => {
  const { clock, waiting, takeAll } = withClock();

  waiting.add(1, ['a']);
  clock.time = 11 * 60_000;
  waiting.add(1, ['b']);
  clock.time += 10;

  expect(takeAll()).toEqual(['1 b']);
  expect(waiting.size()).toBe(0);
});
