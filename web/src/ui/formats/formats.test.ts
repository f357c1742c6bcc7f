import { expect, test } from 'vitest';
import {
  formatAge,
  formatAgo,
  formatEventTime,
  formatLocal,
  formatMoment,
  formatSize,
  formatWaiting,
} from './formats.ts';

test.each([
  [0, '0 Bytes'],
  [1, '1 Bytes'],
  [1023, '1023 Bytes'],
  [1024, '1.00 KB'],
  [1536, '1.50 KB'],
  [12 * 1024 ** 2, '12.00 MB'],
  [2.5 * 1024 ** 3, '2.50 GB'],
  [3 * 1024 ** 4, '3072.00 GB'],
])('%i bytes are shown as %s', (bytes, words) => {
  expect(formatSize(bytes)).toBe(words);
});

test('a date of the scanner is shown unchanged, and a moment in the time zone of the reader', () => {
  const moment = new Date(2026, 10, 21, 2, 5, 9);

  expect(formatLocal('2026-11-21T02:20:31')).toBe('2026-11-21 02:20');
  expect(formatMoment(moment.toISOString())).toBe('2026-11-21 02:05');
});

test('a day without a time is shown alone', () => {
  expect(formatLocal('2026-11-21')).toBe('2026-11-21');
});

test('the time of an event is shown with the name of the month', () => {
  expect(formatEventTime(new Date(2026, 10, 1, 2, 5, 9).toISOString())).toBe('Nov 1, 2026 02:05');
  expect(formatEventTime(new Date(2027, 0, 31, 23, 59).toISOString())).toBe('Jan 31, 2027 23:59');
});

test('an unknown value is shown as empty text', () => {
  expect([formatLocal(null), formatMoment(null), formatAge(null, '2026-11-21')]).toEqual(['', '', '']);
});

test.each([
  ['1961-11-21', '2026-11-21', '65y'],
  ['1961-11-22', '2026-11-21', '64y'],
  ['2026-04-22', '2026-11-21T10:00:00', '6m'],
  ['2024-11-21', '2026-11-21', '2y'],
  ['2026-11-22', '2026-11-21', ''],
  ['nonsense', '2026-11-21', ''],
])('the age of a patient born on %s is, on %s, %j', (birth, on, age) => {
  expect(formatAge(birth, on)).toBe(age);
});

test.each([
  [-300, 'Just now'],
  [0, 'Just now'],
  [59, 'Just now'],
  [60, '1m ago'],
  [5 * 60 + 59, '5m ago'],
  [60 * 60 - 1, '59m ago'],
  [60 * 60, '1h ago'],
  [24 * 3600 - 1, '23h ago'],
  [24 * 3600, '1d ago'],
  [400 * 24 * 3600, '400d ago'],
])('the age of an event after %i seconds is shown as "%s"', (seconds, words) => {
  const now = new Date('2026-11-21T12:00:00Z');
  const then = new Date(now.getTime() - seconds * 1000).toISOString();

  expect(formatAgo(then, now)).toBe(words);
});

test.each([
  [0.4, '0m'],
  [11, '11m'],
  [83, '1h 23'],
  [60, '1h 00'],
  [24 * 60, '1d 0h'],
  [52 * 60 + 5, '2d 4h'],
  [-5, '0m'],
])('a waiting time of %f minutes is shown as "%s"', (minutes, words) => {
  const now = new Date('2026-11-21T12:00:00Z');
  const since = new Date(now.getTime() - minutes * 60_000).toISOString();

  expect(formatWaiting(since, now)).toBe(words);
});
