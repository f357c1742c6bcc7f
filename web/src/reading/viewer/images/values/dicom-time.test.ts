import { expect, test } from 'vitest';
import { secondsOfDay } from './dicom-time.ts';

const quarterPastTen = 10 * 3600 + 15 * 60;

test.each([
  ['1015', quarterPastTen],
  ['101500.5', quarterPastTen + 0.5],
  ['101500.5000000', quarterPastTen + 0.5],
  ['101500.', quarterPastTen],
  ['101500Z', quarterPastTen],
  ['1015.5', quarterPastTen],
  ['10:15:07', quarterPastTen + 7],
])('reads the time %s as %s seconds', (time, seconds) => {
  expect(secondsOfDay(time)).toBe(seconds);
});
