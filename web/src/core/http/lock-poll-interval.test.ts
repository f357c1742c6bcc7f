import { expect, test } from 'vitest';
import { pollUntilLockExpiry } from './lock-poll-interval.ts';

const inSeconds = (seconds: number) => ({ expiresAt: new Date(Date.now() + seconds * 1000).toISOString() });

test.each<[string, { expiresAt: string }[], number | false, number | false]>([
  ['no reading lock', [], 180_000, 180_000],
  ['no polling', [inSeconds(90)], false, false],
  ['frequent polling', [inSeconds(90)], 30_000, 30_000],
  ['a lock that expired long ago, by a wrong clock', [inSeconds(-3600)], 180_000, 30_000],
  ['a lock that expires in an hour, by a wrong clock', [inSeconds(3600)], 180_000, 120_000],
])('the poll interval of a list with reading locks stays within limits: %s', (_, readings, poll, expected) => {
  expect(pollUntilLockExpiry(readings, poll)).toBe(expected);
});

test('a list refetches when its first reading lock may have expired', () => {
  const wait = pollUntilLockExpiry([inSeconds(100), null, inSeconds(60)], 180_000);

  expect(wait).toBeGreaterThan(59_000);
  expect(wait).toBeLessThanOrEqual(61_000);
});
