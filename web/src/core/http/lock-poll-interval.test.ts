import { expect, test } from 'vitest';
import { pollUntilLockExpiry } from './lock-poll-interval.ts';

const inSeconds = (seconds: number) => ({ expiresAt: new Date(Date.now() + seconds * 1000).toISOString() });

test.each<[string, { expiresAt: string }[], number | false, number | false]>([
  ['nobody reads', [], 180_000, 180_000],
  ['nobody looks', [inSeconds(90)], false, false],
  ['it asks often anyhow', [inSeconds(90)], 30_000, 30_000],
  ['a lock should have lapsed long ago, by a clock that is wrong', [inSeconds(-3600)], 180_000, 30_000],
  ['a lock lapses in an hour, by a clock that is wrong', [inSeconds(3600)], 180_000, 120_000],
])(
  'a list refetches at its own interval, within limits, when a reading lock expires: %s',
  (_, readings, poll, expected) => {
    expect(pollUntilLockExpiry(readings, poll)).toBe(expected);
  },
);

test('a list refetches when its first reading lock may have expired', () => {
  const wait = pollUntilLockExpiry([inSeconds(100), null, inSeconds(60)], 180_000);

  expect(wait).toBeGreaterThan(59_000);
  expect(wait).toBeLessThanOrEqual(61_000);
});
