import { expect, test } from 'vitest';
import { zonedTime } from './zoned-time.ts';

const zoned = (time: string, timeZone: string) => zonedTime(`${time}:00`, '', timeZone)?.slice(19);

test.each([
  ['America/Los_Angeles', '2026-03-08T01:30', '-08:00'],
  ['America/Los_Angeles', '2026-03-08T09:30', '-07:00'],
  ['America/Los_Angeles', '2026-11-01T09:30', '-08:00'],
  ['America/Los_Angeles', '2026-10-31T20:30', '-07:00'],
  ['Europe/Berlin', '2026-03-29T01:30', '+01:00'],
  ['Europe/Berlin', '2026-03-29T03:30', '+02:00'],
  ['Europe/Berlin', '2026-10-25T01:30', '+02:00'],
  ['Europe/Berlin', '2026-10-25T03:30', '+01:00'],
  ['Australia/Sydney', '2026-10-03T20:30', '+10:00'],
  ['Australia/Sydney', '2026-10-04T08:30', '+11:00'],
  ['Asia/Kolkata', '2026-10-04T08:30', '+05:30'],
])('a time near a clock change has the offset of its own hour: %s, %s', (timeZone, time, distance) => {
  expect(zoned(time, timeZone)).toBe(distance);
});

test('at a clock change, an hour that occurs twice or not at all gets one of the two offsets', () => {
  expect(zoned('2026-10-25T02:30', 'Europe/Berlin')).toMatch(/^\+0[12]:00$/);
  expect(zoned('2026-03-29T02:30', 'Europe/Berlin')).toMatch(/^\+0[12]:00$/);
});

test('a day without a time has no offset', () => {
  expect(zonedTime('2026-11-20', '+0100', 'Europe/Berlin')).toBe('2026-11-20');
});
