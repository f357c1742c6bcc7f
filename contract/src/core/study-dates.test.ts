import { expect, test } from 'vitest';
import { readDayRange } from './study-dates.ts';

test.each([
  ['2026-11-21', { from: '2026-11-21', to: '2026-11-21' }],
  ['20261121', { from: '2026-11-21', to: '2026-11-21' }],
  ['20261101-20261121', { from: '2026-11-01', to: '2026-11-21' }],
  ['2026-11-01-2026-11-21', { from: '2026-11-01', to: '2026-11-21' }],
  ['20261101-', { from: '2026-11-01' }],
  ['-20261121', { to: '2026-11-21' }],
])('the text %s is read as a range of days', (text, range) => {
  expect(readDayRange(text)).toEqual(range);
});

test.each(['', '-', 'yesterday', '20261301', '2026-02-31', '20261101-2026', '2026-11-21T10:00', '20261101-20261131'])(
  'the text "%s" is refused as a range of days',
  (text) => {
    expect(readDayRange(text)).toBeUndefined();
  },
);
