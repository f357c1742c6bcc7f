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
])(
  'at 12:00 UTC on 22 November, a date of birth of %s is possible in some time zone: %s',
  (dateOfBirth, isPossible) => {
    vi.useFakeTimers({ now: new Date('2026-11-22T12:00:00Z') });

    expect(patientForm.safeParse({ ...form, dateOfBirth }).success).toBe(isPossible);
  },
);

test('a backslash in a Patient ID or issuer is refused, because DICOM would read two values', () => {
  const typed = { ...form, dateOfBirth: '1970-01-01', patientId: 'A\\1', issuer: 'B\\2' };

  const { error } = patientForm.safeParse(typed);

  expect(error?.issues.map(({ path, message }) => [path.join('.'), message])).toEqual([
    ['patientId', 'Patient ID cannot contain a backslash'],
    ['issuer', 'ID issuer cannot contain a backslash'],
  ]);
});
