import { expect, test } from 'vitest';
import { notification } from '#test/notifications.ts';
import { groupByDay } from './group-by-day.ts';

/** Returns noon in local time, the given number of days before 2026-03-01. */
const noon = (daysAgo: number) => new Date(2026, 2, 1 - daysAgo, 12).toISOString();

test('notifications of one calendar day form a group, newest day first', () => {
  const items = [0, 0, 1, 3, 3].map((days) => notification({ createdAt: noon(days) }));

  const days = groupByDay(items, new Date(2026, 2, 1, 18));

  expect(days.map(({ label, items: { length } }) => [label, length])).toEqual([
    ['Today', 2],
    ['Yesterday', 1],
    ['2026-02-26', 2],
  ]);
  expect(days.flatMap((day) => day.items)).toEqual(items);
});

test('a notification from before midnight is listed under yesterday, even a few minutes later', () => {
  const created = new Date(2026, 2, 1, 23, 58).toISOString();

  const days = groupByDay([notification({ createdAt: created })], new Date(2026, 2, 2, 0, 3));

  expect(days.map(({ label }) => label)).toEqual(['Yesterday']);
});
