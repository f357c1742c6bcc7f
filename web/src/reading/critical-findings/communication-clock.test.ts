import { expect, test } from 'vitest';
import { clockOf } from './communication-clock.ts';

const start = '2026-11-21T10:00:00Z';

test.each([
  [
    'a limit of one hour, after one minute',
    '2026-11-21T11:00:00Z',
    '2026-11-21T10:01:00Z',
    '59:00',
    'left',
    'secondary',
  ],
  [
    'a limit of one hour, in its last third',
    '2026-11-21T11:00:00Z',
    '2026-11-21T10:40:00Z',
    '20:00',
    'left',
    'warning',
  ],
  ['one second after the limit', '2026-11-21T11:00:00Z', '2026-11-21T11:00:01Z', '00:01', 'over', 'danger'],
  ['a limit of one day, at its start', '2026-11-22T10:00:00Z', '2026-11-21T10:00:01Z', '23h 59m', 'left', 'secondary'],
  [
    'a limit of one week, after one hour',
    '2026-11-28T10:00:00Z',
    '2026-11-21T11:00:00Z',
    '6d 23h',
    'left',
    'secondary',
  ],
  ['two days after the limit', '2026-11-21T11:00:00Z', '2026-11-23T12:05:00Z', '2d 01h', 'over', 'danger'],
])('the clock shows remaining time and urgency: %s', (_, due, now, text, words, tone) => {
  expect(clockOf({ start, due }, new Date(now))).toEqual({ text, words, tone });
});

test('no time on the clock needs more than eight characters', () => {
  const widest = [0, 59_999, 3_599_000, 3_600_000, 86_399_000, 86_400_000, 99 * 86_400_000].map(
    (remainingMs) => clockOf({ start, due: start }, new Date(Date.parse(start) - remainingMs)).text.length,
  );

  expect(Math.max(...widest)).toBeLessThanOrEqual(8);
});
