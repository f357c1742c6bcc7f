import { expect, test } from 'vitest';
import { untilLapse } from './until-lapse.ts';

const inSeconds = (seconds: number) => ({ expiresAt: new Date(Date.now() + seconds * 1000).toISOString() });

test.each<[string, { expiresAt: string }[], number | false, number | false]>([
  ['nobody reads', [], 180_000, 180_000],
  ['nobody looks', [inSeconds(90)], false, false],
  ['it asks often anyhow', [inSeconds(90)], 30_000, 30_000],
  ['a lock should have lapsed long ago, by a clock that is wrong', [inSeconds(-3600)], 180_000, 30_000],
  ['a lock lapses in an hour, by a clock that is wrong', [inSeconds(3600)], 180_000, 120_000],
])(
  'a list is asked for again by its own interval, and not too often or too late: %s',
  (_, readings, poll, expected) => {
    expect(untilLapse(readings, poll)).toBe(expected);
  },
);

test('a list is asked for again when the first of those who read may have gone', () => {
  const wait = untilLapse([inSeconds(100), null, inSeconds(60)], 180_000);

  expect(wait).toBeGreaterThan(59_000);
  expect(wait).toBeLessThanOrEqual(61_000);
});
