import { afterEach, expect, test, vi } from 'vitest';
import { patientForm } from './patients.ts';

const form = { patientName: 'Doe, Jane', patientId: 'MRN-1', gender: 'F' };

afterEach(() => {
  vi.useRealTimers();
});

test.each([
  ['2026-11-22', true],
  ['2026-11-23', true],
  ['2026-11-24', false],
])('at noon in UTC on 22 November a birth on %s can have been somewhere: %s', (dateOfBirth, isPossible) => {
  vi.useFakeTimers({ now: new Date('2026-11-22T12:00:00Z') });

  expect(patientForm.safeParse({ ...form, dateOfBirth }).success).toBe(isPossible);
});
